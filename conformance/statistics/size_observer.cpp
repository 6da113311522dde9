#include "conformance/statistics/size_observer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

using Kind = LevelCounts::Kind;

std::string_view field_in_chunk(Kind kind) {
  return kind == Kind::repetition ? "meta_data.size_statistics.repetition_level_histogram"
                                  : "meta_data.size_statistics.definition_level_histogram";
}

std::string_view field_in_pages(Kind kind) {
  return kind == Kind::repetition ? "repetition_level_histograms" : "definition_level_histograms";
}

constexpr std::string_view kSizes = "unencoded_byte_array_data_bytes";
constexpr std::string_view kSizeOfChunk = "meta_data.size_statistics.unencoded_byte_array_data_bytes";

/// Max number of levels that are counted in one pass each, which is faster than a histogram for few levels.
constexpr std::size_t kFew = 8;

std::string element(std::string_view list, std::uint64_t at) {
  return std::string(list) + "[" + std::to_string(at) + "]";
}

/// Number of occurrences of a level.
std::uint64_t occurrences(const std::uint32_t* levels, std::uint64_t count, std::uint32_t level) noexcept {
  std::uint32_t met = 0;
  for (std::uint64_t i = 0; i < count; ++i) met += levels[i] == level ? 1U : 0U;
  return met;
}

/// The histograms of a ColumnIndex; null if none was read.
const thrift::List* in_pages(const PageIndex& index, Kind kind) {
  const ColumnIndex& column = index.column.says;
  const bool repetition = kind == Kind::repetition;
  const auto id =
      repetition ? ColumnIndex::id_repetition_level_histograms : ColumnIndex::id_definition_level_histograms;
  if (!index.column.sound || !column.has(id)) return nullptr;
  return repetition ? &column.repetition_level_histograms : &column.definition_level_histograms;
}

/// The length of the histogram of the chunk; 0 if it has none.
std::uint64_t length_in_chunk(const ChunkScope& scope, Kind kind) {
  const SizeStatistics& sizes = scope.meta().size_statistics;
  if (!scope.meta().has(ColumnMetaData::id_size_statistics)) return 0;
  return kind == Kind::repetition ? sizes.repetition_level_histogram.count
                                  : sizes.definition_level_histogram.count;
}

/// The sizes in an OffsetIndex; null if none were read.
const thrift::List* sizes_of(const ChunkScope& scope) {
  const OffsetIndex& offset = scope.page_index.offset.says;
  const bool there =
      scope.is_offset_index_sound() && offset.has(OffsetIndex::id_unencoded_byte_array_data_bytes);
  return there ? &offset.unencoded_byte_array_data_bytes : nullptr;
}

/// Number of page locations, which the lists of the page index may follow; the number of pages if there are
/// no locations.
std::uint64_t located(const ChunkScope& scope, std::uint64_t pages) {
  const OffsetIndex& offset = scope.page_index.offset.says;
  const bool there = scope.is_offset_index_sound() && offset.has(OffsetIndex::id_page_locations);
  return there ? offset.page_locations.count : pages;
}

/// The first negative number of a list, and the count of negative numbers.
struct Negatives {
  std::uint64_t first = 0;
  std::int64_t number = 0;
  std::uint64_t times = 0;
};

Negatives negatives_in(const thrift::List& list) {
  Negatives out;
  thrift::for_each_integer(list, [&](std::int64_t number, std::uint32_t at) {
    if (number >= 0 || out.times++ != 0) return;
    out.first = at;
    out.number = number;
  });
  return out;
}

/// Total bytes of one or more byte arrays. If they are contiguous, or separated by length words only, the
/// result follows from the first and the last.
std::uint64_t bytes_of(const ValueBatch& batch, Encoding encoding) noexcept {
  constexpr std::uint64_t kWord = 4;
  const bool plain = encoding == Encoding::PLAIN && batch.stored == nullptr;
  if (plain || batch.back_to_back) {
    const ByteArray& first = batch.byte_arrays[0];
    const ByteArray& last = batch.byte_arrays[batch.count - 1];
    const auto span = static_cast<std::uint64_t>(last.data - first.data) + last.size;
    return span - (plain ? kWord * (batch.count - 1) : 0);
  }
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < batch.count; ++i) bytes += batch.byte_arrays[i].size;
  return bytes;
}

}  // namespace

void LevelCounts::Fault::note(std::uint64_t counter, std::int64_t found, std::uint64_t expected) {
  if (times++ != 0) return;
  at = counter;
  what = contrast(found, expected);
}

void LevelCounts::open(const ChunkScope& scope, Kind kind, const thrift::List* in_chunk) {
  kind_ = kind;
  in_chunk_ = in_chunk;
  in_pages_ = in_pages(scope.page_index, kind);
  pages_ = in_pages_ == nullptr ? thrift::IntegerWalk() : thrift::IntegerWalk(*in_pages_);
  fault_ = {};
  page_.clear();
  chunk_.clear();
  if (!is_wanted()) return;
  const std::size_t max = kind == Kind::repetition ? scope.leaf.max_repetition : scope.leaf.max_definition;
  page_.resize(max + 1);
  chunk_.resize(max + 1);
}

bool LevelCounts::needs_levels() const noexcept {
  return is_wanted() && page_.size() > (kind_ == Kind::repetition ? 2U : 3U);
}

void LevelCounts::begin_page() noexcept { std::ranges::fill(page_, 0); }

void LevelCounts::add(const LevelBatch& batch) noexcept {
  if (!needs_levels()) return;
  const bool repetition = kind_ == Kind::repetition;
  if (page_.size() > kFew) {
    if (repetition) return batch.add_repetition_histogram(page_);
    return batch.add_definition_histogram(page_);
  }
  const std::uint32_t* const levels = repetition ? batch.repetition : batch.definition;
  const std::uint32_t run = repetition ? batch.run_repetition : batch.run_definition;
  // fill() derives the levels in LevelSums, and one more, without counting.
  const std::size_t first = repetition ? 2 : 1;
  const std::size_t end = page_.size() - (repetition ? 0 : 2);
  for (std::size_t level = first; level < end; ++level) {
    page_[level] += levels == nullptr ? (run == level ? batch.count : 0)
                                      : occurrences(levels, batch.count, static_cast<std::uint32_t>(level));
  }
}

/// Sets the counts that LevelSums has; the remaining entries are at level `left`.
void LevelCounts::fill(const PageEnd& end) noexcept {
  if (needs_levels() && page_.size() > kFew) return;
  std::size_t left = 0;  // the level of all other entries
  if (kind_ == Kind::repetition) {
    page_[0] = end.levels.rows;
    left = page_.size() == 1 ? 0 : 1;
  } else {
    page_.back() = end.levels.stored;
    if (page_.size() > 2) page_[page_.size() - 2] = end.levels.null_leaves;
  }
  page_[left] = 0;
  std::uint64_t others = 0;
  for (const std::uint64_t count : page_) others += count;
  page_[left] = end.entries - others;
}

bool LevelCounts::end_page(const ChunkScope& scope, const PageEnd& end) {
  if (!is_wanted()) return true;
  fill(end);
  for (std::size_t i = 0; i < page_.size(); ++i) chunk_[i] += page_[i];
  if (!scope.position().data_page) return true;
  const std::uint64_t faults = fault_.times;
  for (std::size_t i = 0; i < page_.size(); ++i) {
    const std::uint64_t at = *scope.position().data_page * page_.size() + i;
    const std::optional<std::int64_t> stated = pages_.at(at);
    if (stated && *stated >= 0 && static_cast<std::uint64_t>(*stated) != page_[i])
      fault_.note(at, *stated, page_[i]);
  }
  return fault_.times == faults;
}

/// Returns true if the list of the ColumnIndex has counters for `pages` pages, and none is negative.
bool LevelCounts::judge_list(const ChunkScope& scope, std::uint64_t pages) const {
  const std::uint64_t counters = pages * chunk_.size();
  if (in_pages_->count != counters) {
    const bool by_locations = in_pages_->count == located(scope, pages) * chunk_.size();
    if (!by_locations && in_pages_->count != pages * length_in_chunk(scope, kind_)) {
      scope.column_index_site().report(Rule::column_index_histogram_length, field_in_pages(kind_),
                                       contrast(in_pages_->count, counters));
    }
    return false;
  }
  const Negatives negatives = negatives_in(*in_pages_);
  if (negatives.times == 0) return true;
  scope.column_index_site().report(Rule::size_statistics_negative,
                                   element(field_in_pages(kind_), negatives.first),
                                   contrast(negatives.number, or_more(0)), negatives.times);
  return false;
}

void LevelCounts::judge_pages(const ChunkScope& scope) const {
  if (fault_.times == 0) return;
  scope.column_index_site().report(Rule::column_index_histogram, element(field_in_pages(kind_), fault_.at),
                                   fault_.what, fault_.times);
}

std::optional<std::size_t> LevelCounts::disagrees(std::vector<std::int64_t>& sums) const {
  sums.assign(chunk_.size(), 0);
  thrift::for_each_integer(*in_pages_, [&](std::int64_t counter, std::uint32_t at) {
    std::int64_t& sum = sums[at % sums.size()];
    sum = saturating_add(sum, counter);
  });
  std::optional<std::size_t> first;
  thrift::for_each_integer(*in_chunk_, [&](std::int64_t counter, std::uint32_t level) {
    if (!first && counter != sums[level]) first = level;
  });
  return first;
}

/// Compares the counters of the pages with those of the chunk, if levels are not known.
void LevelCounts::judge_sums(const ChunkScope& scope) const {
  std::vector<std::int64_t> sums;
  const std::optional<std::size_t> level = disagrees(sums);
  if (!level) return;
  const std::int64_t stated = thrift::IntegerWalk(*in_chunk_).at(*level).value_or(0);
  scope.column_index_site().report(
      Rule::size_statistics_pages_sum, field_in_pages(kind_),
      contrast(std::to_string(sums[*level]) + " entries at level " + std::to_string(*level), stated));
}

void LevelCounts::judge_chunk(const ChunkScope& scope) const {
  Fault fault;
  thrift::for_each_integer(*in_chunk_, [&](std::int64_t counter, std::uint32_t level) {
    if (static_cast<std::uint64_t>(counter) != chunk_[level]) fault.note(level, counter, chunk_[level]);
  });
  if (fault.times == 0) return;
  scope.site.report(Rule::size_statistics_histogram, element(field_in_chunk(kind_), fault.at), fault.what,
                    fault.times);
}

void LevelCounts::end_chunk(const ChunkScope& scope, const ChunkEnd& end, bool all_levels_read, bool sound) {
  const std::uint64_t pages = end.data_pages.value_or(0);
  if (in_pages_ != nullptr && in_pages_->count == 0 && pages != 0) {
    const std::uint64_t max =
        kind_ == Kind::repetition ? scope.leaf.max_repetition : scope.leaf.max_definition;
    scope.column_index_site().report(Rule::size_statistics_histogram_empty, field_in_pages(kind_),
                                     contrast(0, pages * (max + 1)));
  }
  if (!is_wanted()) return;
  bool duplicate = false;  // the chunk has the same fault as the pages, and the finding is at the pages
  if (in_pages_ != nullptr && in_pages_->count != 0 && end.data_pages && judge_list(scope, pages)) {
    if (end.counts_trusted) judge_pages(scope);
    std::vector<std::int64_t> sums;
    duplicate = in_chunk_ != nullptr && fault_.times != 0 && !disagrees(sums);
    if (in_chunk_ != nullptr && sound && fault_.times == 0) judge_sums(scope);
  }
  if (in_chunk_ != nullptr && all_levels_read && end.complete && end.counts_trusted && !duplicate)
    judge_chunk(scope);
}

ChunkObserver::Wants SizeObserver::open(const ChunkScope& scope, DictionaryUsage&) {
  scope_ = &scope;
  const SizeStatistics& sizes = scope.meta().size_statistics;
  claims_ = sound_sizes(scope.meta(), scope.leaf);
  repetition_.open(scope, Kind::repetition, claims_.repetition ? &sizes.repetition_level_histogram : nullptr);
  definition_.open(scope, Kind::definition, claims_.definition ? &sizes.definition_level_histogram : nullptr);
  const thrift::List* const list = sizes_of(scope);
  const bool of_bytes = scope.leaf.type == Type::BYTE_ARRAY;
  unencoded_ = list == nullptr || !of_bytes ? thrift::IntegerWalk() : thrift::IntegerWalk(*list);
  lengths_.clear();
  bytes_ = faulty_pages_ = doubtful_pages_ = pages_with_levels_ = pages_with_bytes_ = 0;
  has_dictionary_ = false;
  const bool values = claims_.unencoded || unencoded_.count() != 0;
  const bool counts = repetition_.is_wanted() || definition_.is_wanted();
  return {.dictionary = values,
          .levels = repetition_.needs_levels() || definition_.needs_levels(),
          .values = values,
          .pages = values || counts,
          .end = true};
}

void SizeObserver::dictionary(const ValueSection&, const ValueBatch& batch) {
  if (std::exchange(has_dictionary_, false)) lengths_.clear();  // this is a second dictionary
  for (std::uint64_t i = 0; i < batch.count; ++i) lengths_.push_back(batch.byte_arrays[i].size);
}

void SizeObserver::end_dictionary(const ValueSection& section) {
  has_dictionary_ = lengths_.size() == section.spec.count;
}

void SizeObserver::begin_page(const Page&) {
  repetition_.begin_page();
  definition_.begin_page();
  page_bytes_ = 0;
  page_counted_ = true;
}

void SizeObserver::levels(const Page&, const LevelBatch& batch) {
  repetition_.add(batch);
  definition_.add(batch);
}

void SizeObserver::values(const ValueSection& section, const ValueBatch& batch) {
  if (batch.form == ValueBatch::Form::byte_arrays) {
    page_bytes_ += bytes_of(batch, section.spec.encoding);
  } else if (!has_dictionary_ || section.spec.dictionary_size != lengths_.size()) {
    page_counted_ = false;
  } else if (batch.form == ValueBatch::Form::index_run) {
    page_bytes_ += batch.count * lengths_[batch.run];
  } else {
    for (std::uint64_t i = 0; i < batch.count; ++i) page_bytes_ += lengths_[batch.indices[i]];
  }
}

void SizeObserver::end_page(const PageEnd& end) {
  if (!end.faultless || !end.levels_known) return;
  ++pages_with_levels_;
  bool agrees = repetition_.end_page(*scope_, end);
  agrees = definition_.end_page(*scope_, end) && agrees;
  if (!end.values_known || !page_counted_) return;
  ++pages_with_bytes_;
  bytes_ += page_bytes_;
  if (!scope_->position().data_page) return;
  const std::optional<std::int64_t> stated = unencoded_.at(*scope_->position().data_page);
  if (!stated || *stated < 0 || static_cast<std::uint64_t>(*stated) == page_bytes_) return;
  if (!agrees) {
    ++doubtful_pages_;
    return;
  }
  if (faulty_pages_++ != 0) return;
  faulty_page_ = *scope_->position().data_page;
  fault_ = contrast(*stated, page_bytes_);
}

/// Returns true if the OffsetIndex has sizes for `pages` pages, and none is negative.
bool SizeObserver::judge_unencoded_list(std::uint64_t pages) const {
  const thrift::List* const list = sizes_of(*scope_);
  if (list == nullptr || !scope_->undecodable_reason.empty()) return false;
  if (scope_->leaf.type != Type::BYTE_ARRAY) {
    scope_->offset_index_site().report(Rule::size_statistics_unencoded_type, kSizes,
                                       contrast(symbol(kTypeEnum, scope_->leaf.type), "BYTE_ARRAY"));
    return false;
  }
  if (list->count != pages) {
    if (list->count != located(*scope_, pages))
      scope_->offset_index_site().report(Rule::offset_index_unencoded_length, kSizes,
                                         contrast(list->count, pages));
    return false;
  }
  const Negatives negatives = negatives_in(*list);
  if (negatives.times == 0) return true;
  scope_->offset_index_site().report(Rule::size_statistics_negative, element(kSizes, negatives.first),
                                     contrast(negatives.number, or_more(0)), negatives.times);
  return false;
}

void SizeObserver::judge_unencoded(const ChunkEnd& end) const {
  const bool known = end.complete && end.counts_trusted && pages_with_bytes_ == end.data_pages;
  const std::int64_t stated = scope_->meta().size_statistics.unencoded_byte_array_data_bytes;
  bool duplicate = false;  // the chunk has the same fault as the pages, and the finding is at the pages
  if (end.data_pages && judge_unencoded_list(*end.data_pages)) {
    const bool wrong = faulty_pages_ + doubtful_pages_ != 0;
    if (faulty_pages_ != 0 && end.counts_trusted)
      scope_->offset_index_site().report(Rule::offset_index_unencoded_bytes, element(kSizes, faulty_page_),
                                         fault_, faulty_pages_);
    std::int64_t sum = 0;
    thrift::for_each_integer(scope_->page_index.offset.says.unencoded_byte_array_data_bytes,
                             [&](std::int64_t bytes, std::uint32_t) { sum = saturating_add(sum, bytes); });
    duplicate = wrong && sum == stated;
    if (!wrong && !known && claims_.unencoded && end.complete && sum != stated)
      scope_->offset_index_site().report(
          Rule::size_statistics_pages_sum, kSizes,
          contrast(FindingValue::Count{static_cast<std::uint64_t>(sum), "bytes"}, stated));
  }
  if (!known || duplicate || !claims_.unencoded || static_cast<std::uint64_t>(stated) == bytes_) return;
  scope_->site.report(Rule::size_statistics_unencoded_bytes, kSizeOfChunk, contrast(stated, bytes_));
}

void SizeObserver::end_chunk(const ChunkEnd& end) {
  const bool all_levels_read = end.levels_known && pages_with_levels_ == end.data_pages;
  SizeClaims sound;
  if (!all_levels_read && end.complete && end.counts_trusted) {
    EntryCounts counts{end.entries, end.rows};
    const RowGroupClaim& group = scope_->context.footer.row_groups[scope_->claim.row_group];
    if (!counts.rows && group.has_num_rows && group.num_rows >= 0) counts.rows = group.num_rows;
    sound = judge_size_sums(scope_->site, scope_->meta(), scope_->leaf, counts);
  }
  repetition_.end_chunk(*scope_, end, all_levels_read, sound.repetition);
  definition_.end_chunk(*scope_, end, all_levels_read, sound.definition);
  judge_unencoded(end);
}

}  // namespace parqproof
