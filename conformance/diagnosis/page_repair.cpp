#include "conformance/diagnosis/page_repair.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encoding/table.hpp"
#include "codec/page/header_faults.hpp"
#include "codec/page/page_search.hpp"

namespace parqproof {
namespace {

/// Number of unexplained pages of a chunk after which the search gives up.
constexpr unsigned kFailures = 8;

/// Bytes after a page header that are searched for the next one.
constexpr std::uint64_t kSearch = std::uint64_t{1} << 16;

/// Max candidates for the end of a page, and max possible headers of the next page that are read completely.
constexpr std::size_t kMostEnds = 4;
constexpr unsigned kMostHeaders = 64;

std::string_view count_field(const Page& page) {
  return page.is_v2() ? "data_page_header_v2.num_values" : "data_page_header.num_values";
}

void set_num_values(PageHeader& header, bool v2, std::int32_t count) {
  (v2 ? header.data_page_header_v2.num_values : header.data_page_header.num_values) = count;
}

/// Returns the size of the levels of one kind at the start of `bytes`; nullopt if they cannot be read.
std::optional<std::int32_t> length_of_levels(View bytes, std::uint32_t max, std::uint64_t count) {
  if (max == 0) return 0;
  Notes notes;
  HybridDecoder decoder;
  decoder.open(bytes, bit_width_for(max), count, level_rules(), notes);
  for (;;) {
    const auto batch = decoder.next();
    if (!batch || !notes.all().empty()) return std::nullopt;
    if (batch->count == 0) return static_cast<std::int32_t>(bytes.size() - decoder.rest().size());
  }
}

/// Returns the size of the levels of a v2 page, as stated by its header.
std::int64_t stated_level_bytes(const DataPageHeaderV2& data) {
  return std::int64_t{data.repetition_levels_byte_length} + data.definition_levels_byte_length;
}

/// Returns true if the header states a length for levels that the column does not have.
bool has_absent_levels(const DataPageHeaderV2& data, const Node& leaf) {
  return (leaf.max_repetition == 0 && data.repetition_levels_byte_length != 0) ||
         (leaf.max_definition == 0 && data.definition_levels_byte_length != 0);
}

/// Returns true if an encoding in the header of a data page is undefined, and not one of a later edition.
bool has_damaged_encoding(const ChunkScope& chunk, const Page& page) {
  if (page.is_v2()) return chunk.is_damaged(page.encoding());
  const DataPageHeader& data = page.header.data_page_header;
  return chunk.is_damaged(page.encoding()) ||
         (chunk.leaf.max_definition != 0 && chunk.is_damaged(data.definition_level_encoding)) ||
         (chunk.leaf.max_repetition != 0 && chunk.is_damaged(data.repetition_level_encoding));
}

/// Returns true if the counts of a v2 page are those of its levels.
bool has_true_counts(const Page& page, const LevelSums& sums) {
  if (!page.is_v2()) return true;
  const DataPageHeaderV2& data = page.header.data_page_header_v2;
  const auto nulls = static_cast<std::int64_t>(static_cast<std::uint64_t>(page.num_values()) - sums.stored);
  return (!data.has(DataPageHeaderV2::id_num_nulls) || data.num_nulls == nulls) &&
         (!data.has(DataPageHeaderV2::id_num_rows) || data.num_rows == static_cast<std::int64_t>(sums.rows));
}

}  // namespace

bool PageFields::breaks_rules(const Notes& notes) {
  return std::ranges::any_of(
      notes.all(), [](const Notes::Note& note) { return info(note.error.rule).severity == Severity::error; });
}

bool PageFields::is_in_doubt(const ChunkScope& chunk, const PageWalk& walk, const Page& page) {
  const bool v2 = page.is_v2() && page.has_member();
  const PageHeader& header = page.header;
  const bool stored = chunk.meta().codec == CompressionCodec::UNCOMPRESSED ||
                      (v2 && !header.data_page_header_v2.is_compressed);
  if ((stored || header.compressed_page_size == 0) &&
      header.uncompressed_page_size != header.compressed_page_size) {
    return true;
  }
  if (!page.is_data() || !page.has_member()) return false;
  if (has_damaged_encoding(chunk, page)) return true;
  const DataPageHeaderV2& data = header.data_page_header_v2;
  if (v2 && (data.num_rows > data.num_values || data.num_nulls > data.num_values ||
             stated_level_bytes(data) > header.uncompressed_page_size ||
             (chunk.leaf.max_repetition == 0 && data.num_rows != data.num_values))) {
    return true;
  }
  return walk.entries() == 0 && page.end() == walk.extent().metadata_end &&
         page.num_values() != chunk.claim.num_values;
}

std::optional<PageFields::Cure> PageFields::find(const Page& page, const Known& known) {
  if (failures_ == kFailures || !page.sound || !page.has_member() || page.is_index()) return std::nullopt;
  known_ = known;
  if (known.counts_doubted && page.is_data()) {
    if (std::optional<Cure> cure = miscounted(page)) return cure;
    if (is_intact(page)) return std::nullopt;
  }
  std::optional<Cure> cure = explain(page);
  if (!cure) ++failures_;
  return cure;
}

std::optional<PageFields::Cure> PageFields::explain(const Page& page) {
  using Attempt = std::optional<Cure> (PageFields::*)(const Page&);
  if (!can_decompress(chunk_.meta().codec)) return codec(page);
  if (std::optional<Cure> cure = is_compressed(page)) return cure;
  if (std::optional<Cure> cure = num_values(page)) return cure;
  if (is_intact(page)) return std::nullopt;
  for (const Attempt attempt : {&PageFields::plain_indices, &PageFields::size, &PageFields::uncompressed_size,
                                &PageFields::level_lengths, &PageFields::encoding, &PageFields::codec}) {
    if (std::optional<Cure> cure = (this->*attempt)(page)) return cure;
  }
  return std::nullopt;
}

/// Returns true if a page may end here, because the next page begins or the chunk ends.
bool PageFields::is_page_end(std::uint64_t offset) {
  if (offset == walk_.extent().metadata_end) return true;
  if (offset > walk_.extent().metadata_end) return false;
  const RegionMap alone;
  return PageWalk(reader_, alone, {offset, walk_.extent().metadata_end, walk_.extent().metadata_end, 0}, {})
      .starts_with_page();
}

/// Returns other candidates for the end of the page.
std::vector<std::uint64_t> PageFields::page_ends(const Page& page) {
  const std::uint64_t end = walk_.extent().metadata_end;
  std::vector<std::uint64_t> ends;
  const auto add = [&](std::uint64_t offset) {
    if (offset >= page.body && offset <= end && offset != page.end() && is_page_end(offset))
      ends.push_back(offset);
  };
  if (known_.next_page) {
    add(*known_.next_page);
    return ends;
  }
  if (page.header.uncompressed_page_size >= 0)
    add(page.body + static_cast<std::uint64_t>(page.header.uncompressed_page_size));
  const std::uint64_t stop = std::min(end, page.body + kSearch);
  unsigned headers = 0;
  for (std::uint64_t at = page.body; at < stop && ends.size() < kMostEnds && headers < kMostHeaders; ++at) {
    if (!may_be_page_header(reader_.read(at, std::min(kPageHeaderPrefix, end - at)))) continue;
    ++headers;
    add(at);
  }
  if (page.is_data()) add(end);
  return ends;
}

/// page/compressed-size
std::optional<PageFields::Cure> PageFields::size(const Page& page) {
  if (is_page_end(page.end()) && known_.next_page.value_or(page.end()) == page.end()) return std::nullopt;
  Page other = page;
  for (const std::uint64_t end : page_ends(page)) {
    if (end - page.body > INT32_MAX) continue;
    other.header.compressed_page_size = static_cast<std::int32_t>(end - page.body);
    if (!is_intact(other)) continue;
    return Cure{
        PageFault::in_header(Rule::page_compressed_size, "compressed_page_size",
                             contrast(page.header.compressed_page_size, other.header.compressed_page_size)),
        other};
  }
  return std::nullopt;
}

/// Returns the uncompressed size of the page, including levels, if it can be decompressed.
std::optional<std::uint64_t> PageFields::uncompressed_bytes(const Page& page) {
  constexpr std::uint64_t kBase = std::uint64_t{1} << 20;
  constexpr std::uint64_t kTimes = 64;
  Page larger = page;
  const std::uint64_t most = std::min(
      {limits_.page_bytes, kBase + kTimes * page.stored_size(), static_cast<std::uint64_t>(INT32_MAX)});
  larger.header.uncompressed_page_size = static_cast<std::int32_t>(most);
  Notes notes;
  if (ceiling_fault(larger, limits_) ||
      content_.open(reader_, larger, chunk_.meta().codec, false, room_, notes) !=
          PageContent::State::closed ||
      content_.fault().rule() != Rule::page_uncompressed_size) {
    return std::nullopt;
  }
  return content_.fault().contrast.expected.natural();  // the decompressed size
}

/// page/uncompressed-size, page/uncompressed-equals-compressed. The levels of a v2 page may exceed the stated
/// size of the page.
std::optional<PageFields::Cure> PageFields::uncompressed_size(const Page& page) {
  const std::int32_t stated = page.header.uncompressed_page_size;
  const DataPageHeaderV2& data = page.header.data_page_header_v2;
  const std::int64_t levels = stated_level_bytes(data);
  if (!page.is_v2() || stated < 0 || levels <= stated || data.repetition_levels_byte_length < 0 ||
      data.definition_levels_byte_length < 0 || levels > page.header.compressed_page_size) {
    return std::nullopt;
  }
  const bool is_stored = chunk_.meta().codec == CompressionCodec::UNCOMPRESSED || !data.is_compressed;
  std::uint64_t size = page.stored_size();
  if (!is_stored) {
    const std::optional<std::uint64_t> produced = uncompressed_bytes(page);
    if (!produced) return std::nullopt;
    size = *produced;
  }
  if (size > INT32_MAX) return std::nullopt;
  Page other = page;
  other.header.uncompressed_page_size = static_cast<std::int32_t>(size);
  if (!is_intact(other)) return std::nullopt;
  const Rule rule = is_stored ? Rule::page_uncompressed_equals_compressed : Rule::page_uncompressed_size;
  return Cure{PageFault::in_header(rule, "uncompressed_page_size", contrast(stated, size)), other};
}

/// Returns the sum of num_values of all data pages of the chunk.
std::optional<std::int64_t> PageFields::sum_of_entries() {
  if (std::exchange(summed_, true)) return sum_;
  PageWalk walk(reader_, regions_, walk_.extent(), chunk_.place);
  PageWalk::Step step{};
  do {
    step = walk.next(nullptr);
  } while (step == PageWalk::Step::page && walk.page().has_member());
  if (step == PageWalk::Step::end) sum_ = walk.entries();
  return sum_;
}

/// Returns the entries of a page of a flat column by num_rows, or by the size of its fixed-width values.
std::optional<std::int64_t> PageFields::flat_count(const Page& page) const {
  const Node& leaf = chunk_.leaf;
  if (leaf.max_repetition != 0) return std::nullopt;
  if (page.is_v2()) {
    const DataPageHeaderV2& data = page.header.data_page_header_v2;
    return data.has(DataPageHeaderV2::id_num_rows) ? std::optional<std::int64_t>(data.num_rows)
                                                   : std::nullopt;
  }
  const std::uint32_t width = chunk_.value_bytes();
  if (leaf.max_definition != 0 || page.encoding() != Encoding::PLAIN || width == 0) return std::nullopt;
  return page.header.uncompressed_page_size / static_cast<std::int64_t>(width);
}

/// page/num-values if the counts of several pages are wrong; the page itself is the evidence.
std::optional<PageFields::Cure> PageFields::own_count(const Page& page) {
  const std::optional<std::int64_t> count = flat_count(page);
  if (!count || *count == page.num_values() || *count < 0 || *count > INT32_MAX || is_intact(page))
    return std::nullopt;
  Page other = page;
  set_num_values(other.header, page.is_v2(), static_cast<std::int32_t>(*count));
  if (!is_intact(other)) return std::nullopt;
  return Cure{
      PageFault::in_header(Rule::page_num_values, count_field(page), contrast(page.num_values(), *count)),
      other};
}

/// Returns true if a level histogram in the metadata of the chunk agrees with its num_values.
bool PageFields::histogram_agrees() const {
  const SizeStatistics& sizes = chunk_.meta().size_statistics;
  const auto agrees = [&](const thrift::List& histogram) {
    std::uint64_t entries = 0;
    const auto add = [&](std::int64_t count, std::uint32_t) { entries += static_cast<std::uint64_t>(count); };
    thrift::for_each_integer(histogram, add);
    return histogram.count != 0 && entries == static_cast<std::uint64_t>(chunk_.claim.num_values);
  };
  return chunk_.meta().has(ColumnMetaData::id_size_statistics) &&
         (agrees(sizes.definition_level_histogram) || agrees(sizes.repetition_level_histogram));
}

/// page/num-values
std::optional<PageFields::Cure> PageFields::num_values(const Page& page) {
  if (!page.is_data() || page.num_values() < 0) return std::nullopt;
  const std::optional<std::int64_t> sum = sum_of_entries();
  const std::int64_t stated = page.num_values();
  const std::int64_t total = chunk_.claim.num_values;
  if (!sum || *sum == total) return std::nullopt;
  const std::int64_t expected = total < 0 ? total : total - (*sum - stated);
  if (expected < 0 || expected > INT32_MAX) return own_count(page);
  Page other = page;
  set_num_values(other.header, page.is_v2(), static_cast<std::int32_t>(expected));
  // Two other fields agree on the count, or the body contradicts the count in the header.
  const bool flat = chunk_.leaf.max_repetition == 0;
  const RowGroupClaim& group = chunk_.context.footer.row_groups[chunk_.claim.row_group];
  const bool by_rows = flat && group.has_num_rows && group.num_rows == chunk_.claim.num_values;
  const DataPageHeaderV2& v2 = page.header.data_page_header_v2;
  const bool by_header =
      flat && page.is_v2() && v2.has(DataPageHeaderV2::id_num_rows) && v2.num_rows == expected;
  if (!is_intact(other)) return own_count(page);
  const std::int64_t rows = rows_;
  const bool overshoots = overshoots_;
  // A run that overshoots the entries counts as an unreadable body.
  const bool stated_is_complete = is_intact(page) && (overshoots || !overshoots_);
  const bool by_levels = *sum == stated && group.has_num_rows && rows == group.num_rows && rows_ != rows;
  const bool by_histogram = *sum == stated && histogram_agrees();
  if (!by_levels && !by_rows && !by_header && !by_histogram && stated_is_complete) return std::nullopt;
  return Cure{PageFault::in_header(Rule::page_num_values, count_field(page), contrast(stated, expected)),
              other};
}

/// Returns the null count of the page in its header or the ColumnIndex.
std::optional<std::int64_t> PageFields::stated_nulls(const Page& page) const {
  const DataPageHeader& v1 = page.header.data_page_header;
  const DataPageHeaderV2& v2 = page.header.data_page_header_v2;
  if (page.is_v2() && v2.has(DataPageHeaderV2::id_num_nulls)) return v2.num_nulls;
  const bool has_statistics = !page.is_v2() && v1.has(DataPageHeader::id_statistics);
  if (has_statistics && v1.statistics.has(Statistics::id_null_count)) return v1.statistics.null_count;
  const IndexOfPages<ColumnIndex>& index = chunk_.page_index.column;
  std::optional<std::int64_t> nulls;
  if (!index.sound || !index.parsed.has(ColumnIndex::id_null_counts) || !chunk_.position().data_page)
    return nulls;
  thrift::for_each_integer(index.parsed.null_counts, [&](std::int64_t count, std::uint32_t at) {
    if (at == *chunk_.position().data_page) nulls = count;
  });
  return nulls;
}

/// page/num-values of one of several pages. The count that matches num_values of the chunk is accepted if the
/// rows in the OffsetIndex or the nulls confirm it.
std::optional<PageFields::Cure> PageFields::miscounted(const Page& page) {
  const std::optional<std::int64_t> sum = sum_of_entries();
  const std::int64_t stated = page.num_values();
  if (!sum || stated < 0 || chunk_.claim.num_values < 0) return std::nullopt;
  const std::int64_t expected = chunk_.claim.num_values - (*sum - stated);
  if (expected == stated || expected < 0 || expected > INT32_MAX) return std::nullopt;
  const bool by_rows = chunk_.leaf.max_repetition == 0 && known_.rows &&
                       known_.rows->last - known_.rows->first == expected - 1;
  const std::optional<std::int64_t> nulls = stated_nulls(page);
  Page other = page;
  set_num_values(other.header, page.is_v2(), static_cast<std::int32_t>(expected));
  const bool by_nulls = nulls && !(is_intact(page) && nulls_ == *nulls);
  if ((!by_rows && !by_nulls) || !is_intact(other) || (!by_rows && nulls_ != *nulls)) return std::nullopt;
  return Cure{PageFault::in_header(Rule::page_num_values, count_field(page), contrast(stated, expected)),
              other};
}

/// page/v2-level-lengths
std::optional<PageFields::Cure> PageFields::level_lengths(const Page& page) {
  if (!page.is_v2()) return std::nullopt;
  const DataPageHeaderV2& data = page.header.data_page_header_v2;
  const bool has_absent = data.num_values >= 0 && has_absent_levels(data, chunk_.leaf);
  if (!has_absent && !header_faults(page, chunk_.leaf).empty()) return std::nullopt;
  const View stored = reader_.read_body(page);
  if (stored.size() != page.stored_size()) return std::nullopt;
  const auto count = static_cast<std::uint64_t>(data.num_values);
  const auto of_repetition = length_of_levels(stored, chunk_.leaf.max_repetition, count);
  std::optional<std::int32_t> of_definition;
  const auto repetition = static_cast<std::size_t>(data.repetition_levels_byte_length);  // huge if negative
  if (repetition <= stored.size())
    of_definition = length_of_levels(stored.from(repetition), chunk_.leaf.max_definition, count);
  Page other = page;
  if (of_repetition && *of_repetition != data.repetition_levels_byte_length) {
    other.header.data_page_header_v2.repetition_levels_byte_length = *of_repetition;
    if (is_intact(other)) {
      return Cure{PageFault::in_header(Rule::page_v2_level_lengths,
                                       "data_page_header_v2.repetition_levels_byte_length",
                                       contrast(data.repetition_levels_byte_length, *of_repetition)),
                  other};
    }
    other.header = page.header;
  }
  if (!of_definition || *of_definition == data.definition_levels_byte_length) return std::nullopt;
  other.header.data_page_header_v2.definition_levels_byte_length = *of_definition;
  if (!is_intact(other)) return std::nullopt;
  return Cure{
      PageFault::in_header(Rule::page_v2_level_lengths, "data_page_header_v2.definition_levels_byte_length",
                           contrast(data.definition_levels_byte_length, *of_definition)),
      other};
}

/// page/v2-is-compressed
std::optional<PageFields::Cure> PageFields::is_compressed(const Page& page) {
  if (!page.is_v2() || chunk_.meta().codec == CompressionCodec::UNCOMPRESSED || is_intact(page))
    return std::nullopt;
  Page other = page;
  bool& flag = other.header.data_page_header_v2.is_compressed;
  flag = !flag;
  if (!is_intact(other)) return std::nullopt;
  return Cure{PageFault::in_header(Rule::page_v2_is_compressed, "data_page_header_v2.is_compressed",
                                   flag ? contrast("false", "true") : contrast("true", "false")),
              other};
}

bool PageFields::open(const Page& page, CompressionCodec codec, Notes& notes) {
  return header_faults(page, chunk_.leaf).empty() && !ceiling_fault(page, limits_) &&
         content_.open(reader_, page, codec, true, room_, notes) == PageContent::State::open &&
         content_.checksum() != Checksum::wrong;
}

bool PageFields::is_intact(const Page& page, CompressionCodec codec) {
  Notes notes;
  if (!open(page, codec, notes) || content_.is_mislabelled()) return false;
  const View image = content_.image();
  const bool sized = page.header.uncompressed_page_size < 0 ||
                     image.size() == static_cast<std::size_t>(page.header.uncompressed_page_size);
  if (!sized || breaks_rules(notes)) return false;
  if (page.is_data()) {
    const bool intact = has_intact_entries(page, notes);
    overshoots_ = std::ranges::any_of(notes.all(), [](const Notes::Note& note) {
      return note.error.rule == Rule::levels_overshoot || note.error.rule == Rule::rle_overshoot;
    });
    return intact;
  }
  const auto count = static_cast<std::uint64_t>(page.num_values());
  if (count == 0) return image.empty();
  ValueSpec spec = chunk_.value_spec(Encoding::PLAIN, count);
  spec.dictionary_page = true;
  return decodes(image, spec, notes);
}

/// Splits the data page that is open and reads its levels; nullopt if that is not possible.
std::optional<PageFields::Entries> PageFields::read_levels(const Page& page, Notes& notes) {
  const Result<DataPageParts> parts = split_data_page(page, content_.image(), chunk_.leaf);
  if (!parts) return std::nullopt;
  LevelReader levels(chunk_.context.footer.schema, chunk_.claim.leaf);
  levels.page_lost();
  const Result<LevelSums> sums = levels.read(parts->repetition, parts->definition, parts->count, notes);
  if (!sums) return std::nullopt;
  const bool are_consumed = (levels.max_repetition() == 0 || levels.repetition_rest().empty()) &&
                            (levels.max_definition() == 0 || levels.definition_rest().empty());
  return Entries{*parts, *sums, are_consumed};
}

/// Returns true if levels and values of the data page that is open can be read to their last byte.
bool PageFields::has_intact_entries(const Page& page, Notes& notes) {
  value_bytes_ = 0;
  const std::optional<Entries> entries = read_levels(page, notes);
  if (!entries) return false;
  const auto& [parts, sums, are_levels_consumed] = *entries;
  if (sums.stored != 0) value_bytes_ = parts.values.size();
  rows_ = static_cast<std::int64_t>(sums.rows);
  nulls_ = static_cast<std::int64_t>(parts.count - sums.stored);
  if (breaks_rules(notes) || !has_true_counts(page, sums) || !are_levels_consumed) return false;
  if (sums.stored == 0)
    return check_empty_section(parts.values, parts.encoding, chunk_.leaf.type, notes).has_value();
  if (!chunk_.undecodable_reason.empty()) return false;
  ValueSpec spec = chunk_.value_spec(parts.encoding, sums.stored);
  spec.dictionary_size = known_.dictionary_size;
  return decodes(parts.values, spec, notes);
}

bool PageFields::decodes(View section, const ValueSpec& spec, Notes& notes) {
  Budget budget = chunk_.services.budget;
  if (!values_.open(section, spec, limits_, budget, notes)) return false;
  for (;;) {
    const Result<ValueBatch> batch = values_.next();
    if (!batch) return false;
    if (batch->count == 0) break;
  }
  return values_.end().has_value() && !breaks_rules(notes);
}

}  // namespace parqproof
