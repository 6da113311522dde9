#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/thrift/list_walk.hpp"
#include "conformance/observers/first_fault.hpp"
#include "conformance/statistics/stated_sizes.hpp"
#include "conformance/statistics/statistics_observers.hpp"

namespace parqproof {
namespace {

/// The fields of one kind of levels.
struct LevelFields {
  bool repetition;
  std::string_view in_chunk;  ///< path of the histogram of the chunk
  thrift::List SizeStatistics::* chunk;
  std::string_view in_pages;  ///< name of the list in the ColumnIndex
  ColumnIndex::Id pages_id;
  thrift::List ColumnIndex::* pages;
};
constexpr LevelFields kRepetitionFields{true,
                                        "meta_data.size_statistics.repetition_level_histogram",
                                        &SizeStatistics::repetition_level_histogram,
                                        "repetition_level_histograms",
                                        ColumnIndex::id_repetition_level_histograms,
                                        &ColumnIndex::repetition_level_histograms};
constexpr LevelFields kDefinitionFields{false,
                                        "meta_data.size_statistics.definition_level_histogram",
                                        &SizeStatistics::definition_level_histogram,
                                        "definition_level_histograms",
                                        ColumnIndex::id_definition_level_histograms,
                                        &ColumnIndex::definition_level_histograms};

constexpr std::string_view kSizes = "unencoded_byte_array_data_bytes";
constexpr std::string_view kSizeOfChunk = "meta_data.size_statistics.unencoded_byte_array_data_bytes";

/// Max number of levels that are counted in one pass each, which is faster than a histogram for few levels.
constexpr std::size_t kFew = 8;

/// Number of occurrences of a level.
std::uint64_t occurrences(const std::uint32_t* levels, std::uint64_t count, std::uint32_t level) noexcept {
  std::uint32_t met = 0;
  for (std::uint64_t i = 0; i < count; ++i) met += levels[i] == level ? 1U : 0U;
  return met;
}

/// The sizes in an OffsetIndex; null if none were read.
const thrift::List* sizes_of(const ChunkScope& scope) {
  const OffsetIndex& offset = scope.page_index.offset.parsed;
  const bool there =
      scope.is_offset_index_sound() && offset.has(OffsetIndex::id_unencoded_byte_array_data_bytes);
  return there ? &offset.unencoded_byte_array_data_bytes : nullptr;
}

/// Number of page locations, which the lists of the page index may follow; the number of pages if there are
/// no locations.
std::uint64_t located(const ChunkScope& scope, std::uint64_t pages) {
  const OffsetIndex& offset = scope.page_index.offset.parsed;
  const bool there = scope.is_offset_index_sound() && offset.has(OffsetIndex::id_page_locations);
  return there ? offset.page_locations.count : pages;
}

/// Judges a list of the page index: its length by `rule`, unless that is `excused`, and the sign of its
/// numbers. Returns true if it has `expected` numbers, and none is negative.
bool judge_list(const FindingSite& site, const thrift::List& list, std::string_view field,
                std::uint64_t expected, Rule rule, bool excused) {
  if (list.count != expected) {
    if (!excused) site.report(rule, field, contrast(list.count, expected));
    return false;
  }
  FirstFault negative;
  thrift::for_each_integer(list, [&](std::int64_t number, std::uint32_t at) {
    if (number < 0) negative.note(at, number, or_more(0));
  });
  negative.report(site, Rule::size_statistics_negative, field);
  return negative.times == 0;
}

/// Counts the levels of each page and of the chunk, and compares the counts with the histograms.
class LevelCounts {
 public:
  /// `in_chunk`: the histogram of the chunk; null if there is none that can be compared with levels.
  void open(const ChunkScope& scope, const LevelFields& fields, const thrift::List* in_chunk) {
    scope_ = &scope;
    fields_ = &fields;
    in_chunk_ = in_chunk;
    const auto& column = scope.page_index.column;
    in_pages_ = column.sound && column.parsed.has(fields.pages_id) ? &(column.parsed.*fields.pages) : nullptr;
    pages_ = in_pages_ == nullptr ? thrift::IntegerWalk() : thrift::IntegerWalk(*in_pages_);
    fault_ = {};
    page_.clear();
    chunk_.clear();
    if (!is_wanted()) return;
    page_.resize(counters());
    chunk_.resize(counters());
  }
  [[nodiscard]] bool is_wanted() const noexcept { return in_chunk_ != nullptr || pages_.count() != 0; }

  /// Returns true if the counts do not follow from LevelSums: it suffices up to max repetition level 1 and
  /// max definition level 2.
  [[nodiscard]] bool needs_levels() const noexcept {
    return is_wanted() && page_.size() > (fields_->repetition ? 2U : 3U);
  }

  void begin_page() noexcept { std::ranges::fill(page_, 0); }

  void add(const LevelBatch& batch) noexcept {
    if (!needs_levels()) return;
    const bool repetition = fields_->repetition;
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

  /// Ends a page whose levels are known. Returns true if they match its histogram.
  bool end_page(const PageEnd& end) {
    if (!is_wanted()) return true;
    fill(end);
    for (std::size_t i = 0; i < page_.size(); ++i) chunk_[i] += page_[i];
    if (!scope_->position().data_page) return true;
    const std::uint64_t faults = fault_.times;
    for (std::size_t i = 0; i < page_.size(); ++i) {
      const std::uint64_t at = *scope_->position().data_page * page_.size() + i;
      const std::optional<std::int64_t> stated = pages_.at(at);
      if (stated && *stated >= 0 && static_cast<std::uint64_t>(*stated) != page_[i])
        fault_.note(at, *stated, page_[i]);
    }
    return fault_.times == faults;
  }

  /// Makes the findings. `all_levels_read`: the levels of all pages were read. `sound`: the histograms of the
  /// pages can be compared with that of the chunk without levels.
  void end_chunk(const ChunkEnd& end, bool all_levels_read, bool sound) {
    const std::uint64_t pages = end.data_pages.value_or(0);
    if (in_pages_ != nullptr && in_pages_->count == 0 && pages != 0) {
      scope_->column_index_site().report(Rule::size_statistics_histogram_empty, fields_->in_pages,
                                         contrast(0, pages * counters()));
    }
    if (!is_wanted()) return;
    bool duplicate = false;  // the chunk has the same fault as the pages, and the finding is at the pages
    if (in_pages_ != nullptr && in_pages_->count != 0 && end.data_pages && judge_pages(pages)) {
      if (end.counts_trusted)
        fault_.report(scope_->column_index_site(), Rule::column_index_histogram, fields_->in_pages);
      const bool is_wrong = fault_.times != 0;
      const FirstFault sums = in_chunk_ != nullptr && (is_wrong || sound) ? wrong_sums() : FirstFault();
      duplicate = in_chunk_ != nullptr && is_wrong && sums.times == 0;
      if (!is_wrong && sums.times != 0)  // the levels are not known
        scope_->column_index_site().report(Rule::size_statistics_pages_sum, fields_->in_pages, sums.what);
    }
    if (in_chunk_ != nullptr && all_levels_read && end.complete && end.counts_trusted && !duplicate)
      judge_chunk();
  }

 private:
  /// Number of counters of one histogram.
  [[nodiscard]] std::uint64_t counters() const noexcept {
    return std::uint64_t{fields_->repetition ? scope_->leaf.max_repetition : scope_->leaf.max_definition} + 1;
  }

  /// Sets the counts that LevelSums has; the remaining entries are at level `left`.
  void fill(const PageEnd& end) noexcept {
    if (needs_levels() && page_.size() > kFew) return;
    std::size_t left = 0;  // the level of all other entries
    if (fields_->repetition) {
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

  /// Returns true if the list of the ColumnIndex has counters for `pages` pages, and none is negative. It may
  /// follow the page locations, or the histogram of the chunk.
  [[nodiscard]] bool judge_pages(std::uint64_t pages) const {
    const std::uint64_t in_chunk = scope_->meta().has(ColumnMetaData::id_size_statistics)
                                       ? (scope_->meta().size_statistics.*fields_->chunk).count
                                       : 0;
    const bool excused =
        in_pages_->count == located(*scope_, pages) * counters() || in_pages_->count == pages * in_chunk;
    return judge_list(scope_->column_index_site(), *in_pages_, fields_->in_pages, pages * counters(),
                      Rule::column_index_histogram_length, excused);
  }

  /// The levels at which the counters of the pages do not add up to that of the chunk.
  [[nodiscard]] FirstFault wrong_sums() const {
    std::vector<std::int64_t> sums(chunk_.size());
    thrift::for_each_integer(*in_pages_, [&](std::int64_t counter, std::uint32_t at) {
      std::int64_t& sum = sums[at % sums.size()];
      sum = saturating_add(sum, counter);
    });
    FirstFault wrong;
    thrift::for_each_integer(*in_chunk_, [&](std::int64_t counter, std::uint32_t level) {
      if (counter != sums[level])
        wrong.note(
            level,
            fmt::format("{} {} at level {}", sums[level], sums[level] == 1 ? "entry" : "entries", level),
            counter);
    });
    return wrong;
  }

  void judge_chunk() const {
    FirstFault fault;
    thrift::for_each_integer(*in_chunk_, [&](std::int64_t counter, std::uint32_t level) {
      if (static_cast<std::uint64_t>(counter) != chunk_[level]) fault.note(level, counter, chunk_[level]);
    });
    fault.report(scope_->site, Rule::size_statistics_histogram, fields_->in_chunk);
  }

  const ChunkScope* scope_ = nullptr;
  const LevelFields* fields_ = nullptr;
  const thrift::List* in_chunk_ = nullptr;
  const thrift::List* in_pages_ = nullptr;  // of the ColumnIndex
  thrift::IntegerWalk pages_;
  std::vector<std::uint64_t> page_;   // counters of the current page
  std::vector<std::uint64_t> chunk_;  // of the pages so far
  FirstFault fault_;                  // of in_pages_
};

class SizeObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage&) override {
    scope_ = &scope;
    const SizeStatistics& sizes = scope.meta().size_statistics;
    claims_ = sound_sizes(scope.meta(), scope.leaf);
    repetition_.open(scope, kRepetitionFields,
                     claims_.repetition ? &sizes.repetition_level_histogram : nullptr);
    definition_.open(scope, kDefinitionFields,
                     claims_.definition ? &sizes.definition_level_histogram : nullptr);
    const thrift::List* const list = sizes_of(scope);
    const bool of_bytes = scope.leaf.type == Type::BYTE_ARRAY;
    unencoded_ = list == nullptr || !of_bytes ? thrift::IntegerWalk() : thrift::IntegerWalk(*list);
    lengths_.clear();
    bytes_ = doubtful_pages_ = pages_with_levels_ = pages_with_bytes_ = 0;
    faults_ = {};
    has_dictionary_ = false;
    const bool values = claims_.unencoded || unencoded_.count() != 0;
    const bool counts = repetition_.is_wanted() || definition_.is_wanted();
    return {.dictionary = values,
            .levels = repetition_.needs_levels() || definition_.needs_levels(),
            .values = values,
            .pages = values || counts,
            .end = true};
  }

  void dictionary(const ValueSection&, const ValueBatch& batch) override {
    if (std::exchange(has_dictionary_, false)) lengths_.clear();  // this is a second dictionary
    for (std::uint64_t i = 0; i < batch.count; ++i) lengths_.push_back(batch.byte_arrays[i].size);
  }

  void end_dictionary(const ValueSection& section) override {
    has_dictionary_ = lengths_.size() == section.spec.count;
  }

  void begin_page(const Page&) override {
    repetition_.begin_page();
    definition_.begin_page();
    page_bytes_ = 0;
    page_counted_ = true;
  }

  void levels(const Page&, const LevelBatch& batch) override {
    repetition_.add(batch);
    definition_.add(batch);
  }

  void values(const ValueSection& section, const ValueBatch& batch) override {
    if (batch.form == ValueBatch::Form::byte_arrays) {
      page_bytes_ += total_size(batch);
    } else if (!has_dictionary_ || section.spec.dictionary_size != lengths_.size()) {
      page_counted_ = false;
    } else if (batch.form == ValueBatch::Form::index_run) {
      page_bytes_ += batch.count * lengths_[batch.run];
    } else {
      for (std::uint64_t i = 0; i < batch.count; ++i) page_bytes_ += lengths_[batch.indices[i]];
    }
  }

  void end_page(const PageEnd& end) override {
    if (!end.faultless || !end.levels_known) return;
    ++pages_with_levels_;
    bool agrees = repetition_.end_page(end);
    agrees = definition_.end_page(end) && agrees;
    if (!end.values_known || !page_counted_) return;
    ++pages_with_bytes_;
    bytes_ += page_bytes_;
    if (!scope_->position().data_page) return;
    const std::optional<std::int64_t> stated = unencoded_.at(*scope_->position().data_page);
    if (!stated || *stated < 0 || static_cast<std::uint64_t>(*stated) == page_bytes_) return;
    if (agrees) {
      faults_.note(*scope_->position().data_page, *stated, page_bytes_);
    } else {
      ++doubtful_pages_;
    }
  }

  void end_chunk(const ChunkEnd& end) override {
    const bool all_levels_read = end.levels_known && pages_with_levels_ == end.data_pages;
    SizeClaims sound;
    if (!all_levels_read && end.complete && end.counts_trusted) {
      EntryCounts counts{end.entries, end.rows};
      const RowGroupClaim& group = scope_->context.footer.row_groups[scope_->claim.row_group];
      if (!counts.rows && group.has_num_rows && group.num_rows >= 0) counts.rows = group.num_rows;
      sound = judge_size_sums(scope_->site, scope_->meta(), scope_->leaf, counts);
    }
    repetition_.end_chunk(end, all_levels_read, sound.repetition);
    definition_.end_chunk(end, all_levels_read, sound.definition);
    judge_unencoded(end);
  }

 private:
  void judge_unencoded(const ChunkEnd& end) const {
    const bool known = end.complete && end.counts_trusted && pages_with_bytes_ == end.data_pages;
    const std::int64_t stated = scope_->meta().size_statistics.unencoded_byte_array_data_bytes;
    bool duplicate = false;  // the chunk has the same fault as the pages, and the finding is at the pages
    if (end.data_pages && judge_unencoded_list(*end.data_pages)) {
      const bool wrong = faults_.times + doubtful_pages_ != 0;
      if (end.counts_trusted)
        faults_.report(scope_->offset_index_site(), Rule::offset_index_unencoded_bytes, kSizes);
      std::int64_t sum = 0;
      thrift::for_each_integer(scope_->page_index.offset.parsed.unencoded_byte_array_data_bytes,
                               [&](std::int64_t bytes, std::uint32_t) { sum = saturating_add(sum, bytes); });
      duplicate = wrong && sum == stated;
      if (!wrong && !known && claims_.unencoded && end.complete && sum != stated)
        scope_->offset_index_site().report(Rule::size_statistics_pages_sum, kSizes,
                                           contrast(count_of_bytes(static_cast<std::uint64_t>(sum)), stated));
    }
    if (!known || duplicate || !claims_.unencoded || static_cast<std::uint64_t>(stated) == bytes_) return;
    scope_->site.report(Rule::size_statistics_unencoded_bytes, kSizeOfChunk, contrast(stated, bytes_));
  }

  /// Returns true if the OffsetIndex has sizes for `pages` pages, and none is negative.
  [[nodiscard]] bool judge_unencoded_list(std::uint64_t pages) const {
    const thrift::List* const list = sizes_of(*scope_);
    if (list == nullptr || !scope_->undecodable_reason.empty()) return false;
    if (scope_->leaf.type != Type::BYTE_ARRAY) {
      scope_->offset_index_site().report(Rule::size_statistics_unencoded_type, kSizes,
                                         contrast(symbol(kTypeEnum, scope_->leaf.type), "BYTE_ARRAY"));
      return false;
    }
    return judge_list(scope_->offset_index_site(), *list, kSizes, pages, Rule::offset_index_unencoded_length,
                      list->count == located(*scope_, pages));
  }

  const ChunkScope* scope_ = nullptr;
  SizeClaims claims_;
  LevelCounts repetition_;
  LevelCounts definition_;
  thrift::IntegerWalk unencoded_;        // of the OffsetIndex, for BYTE_ARRAY values
  std::vector<std::uint32_t> lengths_;   // of the entries of the dictionary
  std::uint64_t page_bytes_ = 0;         // of the values of the current page
  std::uint64_t bytes_ = 0;              // of the values of the pages so far
  FirstFault faults_;                    // of unencoded_
  std::uint64_t pages_with_levels_ = 0;  // pages whose levels could be read
  std::uint64_t pages_with_bytes_ = 0;
  std::uint64_t doubtful_pages_ = 0;  // whose size is not judged, because their histogram is wrong
  bool has_dictionary_ = false;       // lengths_ is complete
  bool page_counted_ = true;          // page_bytes_ is complete
};

}  // namespace

std::unique_ptr<ChunkObserver> size_observer() { return std::make_unique<SizeObserver>(); }

}  // namespace parqproof
