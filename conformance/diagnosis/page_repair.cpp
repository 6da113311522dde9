#include "conformance/diagnosis/page_repair.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/encoding/table.hpp"
#include "codec/page/header_faults.hpp"
#include "codec/page/page_content.hpp"
#include "codec/page/page_search.hpp"

namespace parqproof {
namespace {

using Cure = std::optional<PageCure>;

/// Number of unexplained pages of a chunk after which the search gives up.
constexpr unsigned kFailures = 8;

/// Bytes after a page header that are searched for the next one.
constexpr std::uint64_t kSearch = std::uint64_t{1} << 16;

/// Max candidates for the end of a page, and max possible headers of the next page that are read completely.
constexpr std::size_t kMostEnds = 4;
constexpr unsigned kMostHeaders = 64;

/// A field of a page header, by the struct that has it.
template <typename T>
T& field_of(PageHeader& header, T PageHeader::* field) {
  return header.*field;
}
template <typename T>
T& field_of(PageHeader& header, T DataPageHeader::* field) {
  return header.data_page_header.*field;
}
template <typename T>
T& field_of(PageHeader& header, T DataPageHeaderV2::* field) {
  return header.data_page_header_v2.*field;
}

FindingValue shown(std::int32_t value) { return value; }
FindingValue shown(bool value) { return value ? "true" : "false"; }
FindingValue shown(Encoding value) { return symbol(kEncodingEnum, value); }

bool breaks_rules(const Notes& notes) {
  return std::ranges::any_of(
      notes.all(), [](const Notes::Note& note) { return info(note.error.rule).severity == Severity::error; });
}

class PageFields final : public PageDoubts {
 public:
  PageFields(const ChunkScope& chunk, const RegionMap& regions, const PageWalk& walk)
      : chunk_(chunk),
        regions_(regions),
        walk_(walk),
        limits_(chunk.context.options.limits),
        reader_(chunk.context.input.source, limits_, 0),
        content_(decompressor_, limits_) {}

  [[nodiscard]] Cure find(const Page& page, const PageWitnesses& known) override {
    if (failures_ == kFailures || !page.sound || !page.has_member() || page.is_index()) return std::nullopt;
    known_ = known;
    if (known.counts_doubted && page.is_data()) {
      if (Cure cure = miscounted(page)) return cure;
      if (is_intact(page)) return std::nullopt;
    }
    Cure cure = explain(page);
    if (!cure) ++failures_;
    return cure;
  }

 private:
  Cure explain(const Page& page) {
    using Attempt = Cure (PageFields::*)(const Page&);
    if (!can_decompress(chunk_.meta().codec)) return codec(page);
    if (Cure cure = is_compressed(page)) return cure;
    if (Cure cure = num_values(page)) return cure;
    if (is_intact(page)) return std::nullopt;
    for (const Attempt attempt :
         {&PageFields::plain_indices, &PageFields::size, &PageFields::uncompressed_size,
          &PageFields::level_lengths, &PageFields::encoding, &PageFields::codec}) {
      if (Cure cure = (this->*attempt)(page)) return cure;
    }
    return std::nullopt;
  }

  /// The trial of a hypothesis: returns the page with another value of one field if it is intact with it.
  template <typename Struct, typename T>
  Cure changed(const Page& page, Rule rule, std::string_view path, T Struct::* field, T value) {
    Page other = page;
    const T stated = std::exchange(field_of(other.header, field), value);
    if (stated == value || !is_intact(other)) return std::nullopt;
    return PageCure{PageFault::in_header(rule, path, contrast(shown(stated), shown(value))), other};
  }
  Cure with_count(const Page& page, std::int64_t count) {
    if (count < 0 || count > INT32_MAX) return std::nullopt;
    const auto value = static_cast<std::int32_t>(count);
    return page.is_v2() ? changed(page, Rule::page_num_values, "data_page_header_v2.num_values",
                                  &DataPageHeaderV2::num_values, value)
                        : changed(page, Rule::page_num_values, "data_page_header.num_values",
                                  &DataPageHeader::num_values, value);
  }
  Cure with_encoding(const Page& page, Encoding encoding) {
    return page.is_v2() ? changed(page, Rule::page_encoding, "data_page_header_v2.encoding",
                                  &DataPageHeaderV2::encoding, encoding)
                        : changed(page, Rule::page_encoding, "data_page_header.encoding",
                                  &DataPageHeader::encoding, encoding);
  }

  /// Returns the walk along the rest of the chunk from `offset` on, whatever other structures are there.
  PageWalk walk_from(std::uint64_t offset) {
    const std::uint64_t end = walk_.extent().metadata_end;
    return {reader_, alone_, {offset, end, end, 0}, {}};
  }

  /// Returns true if a page may end here, because the next page begins or the chunk ends.
  bool is_page_end(std::uint64_t offset) {
    const std::uint64_t end = walk_.extent().metadata_end;
    return offset == end || (offset < end && walk_from(offset).starts_with_page());
  }

  /// Returns other candidates for the end of the page.
  std::vector<std::uint64_t> page_ends(const Page& page) {
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
  Cure size(const Page& page) {
    if (is_page_end(page.end()) && known_.next_page.value_or(page.end()) == page.end()) return std::nullopt;
    for (const std::uint64_t end : page_ends(page)) {
      if (end - page.body > INT32_MAX) continue;
      if (Cure cure = changed(page, Rule::page_compressed_size, "compressed_page_size",
                              &PageHeader::compressed_page_size, static_cast<std::int32_t>(end - page.body)))
        return cure;
    }
    return std::nullopt;
  }

  /// Returns the uncompressed size of the page, including levels, if it can be decompressed.
  std::optional<std::uint64_t> uncompressed_bytes(const Page& page) {
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

  /// page/uncompressed-size, page/uncompressed-equals-compressed. The levels of a v2 page may exceed the
  /// stated size of the page.
  Cure uncompressed_size(const Page& page) {
    const std::int32_t stated = page.header.uncompressed_page_size;
    const DataPageHeaderV2& data = page.header.data_page_header_v2;
    const std::int64_t levels = page.level_bytes();
    if (!page.is_v2() || stated < 0 || levels <= stated || data.repetition_levels_byte_length < 0 ||
        data.definition_levels_byte_length < 0 || levels > page.header.compressed_page_size) {
      return std::nullopt;
    }
    const bool is_stored = chunk_.meta().codec == CompressionCodec::UNCOMPRESSED || !data.is_compressed;
    const std::optional<std::uint64_t> size = is_stored ? page.stored_size() : uncompressed_bytes(page);
    if (!size || *size > INT32_MAX) return std::nullopt;
    const Rule rule = is_stored ? Rule::page_uncompressed_equals_compressed : Rule::page_uncompressed_size;
    return changed(page, rule, "uncompressed_page_size", &PageHeader::uncompressed_page_size,
                   static_cast<std::int32_t>(*size));
  }

  /// Returns the sum of num_values of all data pages of the chunk, if each states its own.
  std::optional<std::int64_t> sum_of_entries() {
    if (std::exchange(summed_, true)) return sum_;
    PageWalk walk(reader_, regions_, walk_.extent(), chunk_.place);
    PageWalk::Step step = walk.next(nullptr);
    const auto is_counted = [](const Page& page) {
      return page.has_member() && (!page.is_data() || (page.sound && page.num_values() >= 0));
    };
    while (step == PageWalk::Step::page && is_counted(walk.page())) step = walk.next(nullptr);
    if (step == PageWalk::Step::end) sum_ = walk.entries();
    return sum_;
  }

  /// page/num-values if the counts of several pages are wrong; the page itself is the evidence.
  Cure own_count(const Page& page) {
    const std::optional<std::int64_t> count = flat_count(chunk_, page);
    return count && !is_intact(page) ? with_count(page, *count) : std::nullopt;
  }

  /// page/num-values: two other fields agree on the count, or the body contradicts the count in the header.
  Cure num_values(const Page& page) {
    if (!page.is_data() || page.num_values() < 0) return std::nullopt;
    const std::optional<std::int64_t> sum = sum_of_entries();
    const std::int64_t stated = page.num_values();
    const std::int64_t total = chunk_.claim.num_values;
    if (!sum || *sum == total) return std::nullopt;
    const std::int64_t expected = total < 0 ? total : total - (*sum - stated);
    Cure cure = with_count(page, expected);
    if (!cure) return own_count(page);
    const std::int64_t rows = rows_;
    const bool overshoots = overshoots_;
    const bool flat = chunk_.leaf.max_repetition == 0;
    const RowGroupClaim& group = chunk_.context.footer.row_groups[chunk_.claim.row_group];
    const bool by_rows = flat && group.has_num_rows && group.num_rows == total;
    const DataPageHeaderV2& v2 = page.header.data_page_header_v2;
    const bool by_header =
        flat && page.is_v2() && v2.has(DataPageHeaderV2::id_num_rows) && v2.num_rows == expected;
    // A run that overshoots the entries counts as an unreadable body.
    const bool stated_is_complete = is_intact(page) && (overshoots || !overshoots_);
    const bool by_levels = *sum == stated && group.has_num_rows && rows == group.num_rows && rows_ != rows;
    const bool by_histogram = *sum == stated && histogram_agrees(chunk_);
    return by_levels || by_rows || by_header || by_histogram || !stated_is_complete ? cure : std::nullopt;
  }

  /// page/num-values of one of several pages. The count that matches num_values of the chunk is accepted if
  /// the rows in the OffsetIndex or the nulls confirm it.
  Cure miscounted(const Page& page) {
    const std::optional<std::int64_t> sum = sum_of_entries();
    const std::int64_t stated = page.num_values();
    if (!sum || stated < 0 || chunk_.claim.num_values < 0) return std::nullopt;
    const std::int64_t expected = chunk_.claim.num_values - (*sum - stated);
    const bool by_rows = chunk_.leaf.max_repetition == 0 && known_.rows &&
                         known_.rows->last - known_.rows->first == expected - 1;
    const std::optional<std::int64_t> nulls = stated_nulls(chunk_, page);
    const bool by_nulls = nulls && !(is_intact(page) && nulls_ == *nulls);
    if (!by_rows && !by_nulls) return std::nullopt;
    Cure cure = with_count(page, expected);
    return by_rows || nulls_ == *nulls ? cure : std::nullopt;
  }

  /// page/v2-level-lengths
  Cure level_lengths(const Page& page) {
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
    Cure cure;
    if (of_repetition) {
      cure = changed(page, Rule::page_v2_level_lengths, "data_page_header_v2.repetition_levels_byte_length",
                     &DataPageHeaderV2::repetition_levels_byte_length, *of_repetition);
    }
    if (!cure && of_definition) {
      cure = changed(page, Rule::page_v2_level_lengths, "data_page_header_v2.definition_levels_byte_length",
                     &DataPageHeaderV2::definition_levels_byte_length, *of_definition);
    }
    return cure;
  }

  /// page/v2-is-compressed
  Cure is_compressed(const Page& page) {
    const bool has_flag = page.is_v2() && chunk_.meta().codec != CompressionCodec::UNCOMPRESSED;
    if (!has_flag || is_intact(page)) return std::nullopt;
    return changed(page, Rule::page_v2_is_compressed, "data_page_header_v2.is_compressed",
                   &DataPageHeaderV2::is_compressed, !page.header.data_page_header_v2.is_compressed);
  }

  /// dictionary/indices-plain
  Cure plain_indices(const Page& page) {
    if (!page.is_data() || !is_dictionary_encoding(page.encoding()) || known_.dictionary_size == UINT64_MAX)
      return std::nullopt;
    Notes notes;
    if (!open(page, chunk_.meta().codec, notes)) return std::nullopt;
    const std::optional<Entries> entries = read_levels(page, notes);
    if (!entries || breaks_rules(notes)) return std::nullopt;
    const View section = entries->parts.values;
    const std::uint64_t stored = entries->sums.stored;
    constexpr std::size_t kIndexBytes = 4;
    if (stored == 0 || section.size() / kIndexBytes != stored || section.size() % kIndexBytes != 0)
      return std::nullopt;
    for (std::size_t at = 0; at < section.size(); at += kIndexBytes) {
      if (load_le<std::uint32_t>(section.data() + at) >= known_.dictionary_size) return std::nullopt;
    }
    return PageCure{PageFault::in_bytes({section.base, static_cast<std::int64_t>(stored), 0,
                                         static_cast<std::uint32_t>(section.size()),
                                         Rule::dictionary_indices_plain, section.space}),
                    page};
  }

  /// page/encoding
  Cure encoding(const Page& page) {
    if (!page.is_data()) return std::nullopt;
    const auto with_definition = [&](const Page& of, Encoding candidate) {
      return changed(of, Rule::page_encoding, "data_page_header.definition_level_encoding",
                     &DataPageHeader::definition_level_encoding, candidate);
    };
    for (const Encoding candidate : {Encoding::RLE, Encoding::BIT_PACKED}) {
      if (page.is_v2()) break;
      if (Cure cure = with_definition(page, candidate)) return cure;
      if (Cure cure = changed(page, Rule::page_encoding, "data_page_header.repetition_level_encoding",
                              &DataPageHeader::repetition_level_encoding, candidate))
        return cure;
      Page other = page;  // both are wrong
      other.header.data_page_header.repetition_level_encoding = candidate;
      if (Cure cure = with_definition(other, candidate)) return cure;
    }
    Cure cure;
    if (chunk_.meta().has(ColumnMetaData::id_encodings)) {
      thrift::for_each_integer(chunk_.meta().encodings, [&](std::int64_t number, std::uint32_t) {
        const auto candidate = static_cast<Encoding>(number);
        if (!cure && find_encoding(candidate) != nullptr) cure = with_encoding(page, candidate);
      });
    }
    return cure ? cure : unlisted_encoding(page);
  }

  /// The chunk does not list the encoding: only one may be able to read the values.
  Cure unlisted_encoding(const Page& page) {
    constexpr std::size_t kEnoughBytes = 16;  // fewer may fit by chance
    Cure found;
    for (const Encoding candidate :
         {Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY, Encoding::DELTA_BINARY_PACKED,
          Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT}) {
      const bool by_index = is_dictionary_encoding(candidate);
      if (!can_decode(candidate, chunk_.leaf.type) ||
          (by_index && (is_dictionary_encoding(page.encoding()) || known_.dictionary_size == UINT64_MAX))) {
        continue;
      }
      Cure cure = with_encoding(page, candidate);
      if (!cure || value_bytes_ < kEnoughBytes) continue;
      if (found) return std::nullopt;
      found = std::move(cure);
    }
    return found;
  }

  /// Returns true if the next page can be read with the codec too. Without a next page the bytes of this page
  /// are the evidence, unless the codec accepts any bytes.
  bool next_agrees(const Page& page, CompressionCodec codec) {
    if (page.end() >= walk_.extent().metadata_end) {
      const bool is_undefined = !can_decompress(chunk_.meta().codec);
      return codec != CompressionCodec::UNCOMPRESSED ||
             (is_undefined && has_neighbour_without_compression(chunk_)) ||
             (chunk_.leaf.max_definition != 0 && !page.is_v2() && page.is_data());
    }
    PageWalk walk = walk_from(page.end());
    return walk.starts_with_page() && is_intact(walk.page(), codec);
  }

  /// column-chunk/codec
  Cure codec(const Page& page) {
    using Codec = CompressionCodec;
    const Codec stated = chunk_.meta().codec;
    if (known_.opened) return std::nullopt;
    for (const Codec candidate :
         {Codec::SNAPPY, Codec::GZIP, Codec::ZSTD, Codec::LZ4_RAW, Codec::BROTLI, Codec::UNCOMPRESSED}) {
      if (candidate == stated || !is_intact(page, candidate) || !next_agrees(page, candidate)) continue;
      return PageCure{PageFault::in_chunk(Rule::column_chunk_codec, "meta_data.codec",
                                          contrast(symbol(kCompressionCodecEnum, stated),
                                                   symbol(kCompressionCodecEnum, candidate))),
                      page, true};
    }
    return std::nullopt;
  }

  /// Opens the body of a page whose header has no fault; false if that fails, or its checksum is wrong.
  bool open(const Page& page, CompressionCodec codec, Notes& notes) {
    return header_faults(page, chunk_.leaf).empty() && !ceiling_fault(page, limits_) &&
           content_.open(reader_, page, codec, true, room_, notes) == PageContent::State::open &&
           content_.checksum() != Checksum::wrong;
  }

  bool is_intact(const Page& page) { return is_intact(page, chunk_.meta().codec); }
  bool is_intact(const Page& page, CompressionCodec codec) {
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

  /// A data page with its levels read.
  struct Entries {
    DataPageParts parts;
    LevelSums sums;
    bool are_levels_consumed = false;
  };
  /// Splits the data page that is open and reads its levels; nullopt if that is not possible.
  std::optional<Entries> read_levels(const Page& page, Notes& notes) {
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
  bool has_intact_entries(const Page& page, Notes& notes) {
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

  bool decodes(View section, const ValueSpec& spec, Notes& notes) {
    Budget budget = chunk_.services.budget;
    if (!values_.open(section, spec, limits_, budget, notes)) return false;
    for (;;) {
      const Result<ValueBatch> batch = values_.next();
      if (!batch) return false;
      if (batch->count == 0) break;
    }
    return values_.end().has_value() && !breaks_rules(notes);
  }

  const ChunkScope& chunk_;
  const RegionMap& regions_;
  const RegionMap alone_;  // no other structures
  const PageWalk& walk_;
  const Limits& limits_;
  PageReader reader_;  // separate, so that views into the current page stay valid
  Decompressor decompressor_;
  PageContent content_;
  ValueDecoder values_;
  Buffer room_;
  PageWitnesses known_;
  std::int64_t rows_ = 0;            // of the last examined page, by its levels
  std::int64_t nulls_ = 0;           // of the same page
  std::size_t value_bytes_ = 0;      // of its values section
  bool overshoots_ = false;          // its last run is longer than the page
  std::optional<std::int64_t> sum_;  // of num_values of all data pages, if all headers can be read
  bool summed_ = false;
  unsigned failures_ = 0;
};

}  // namespace

std::unique_ptr<PageDoubts> ChunkDiagnosis::of_pages(const ChunkScope& chunk, const PageWalk& walk) const {
  return std::make_unique<PageFields>(chunk, regions(), walk);
}

}  // namespace parqproof
