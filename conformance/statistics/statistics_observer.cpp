#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/observers/page_tally.hpp"
#include "conformance/statistics/statistics_check.hpp"
#include "conformance/statistics/statistics_observers.hpp"

namespace parqproof {
namespace {

/// The Statistics in the header of a data page, and their site; null if it has none.
std::pair<const Statistics*, std::string_view> statistics_of(const Page& page) {
  if (!page.is_v2()) {
    const DataPageHeader& data = page.header.data_page_header;
    return {data.has(DataPageHeader::id_statistics) ? &data.statistics : nullptr,
            "data_page_header.statistics"};
  }
  const DataPageHeaderV2& data = page.header.data_page_header_v2;
  return {data.has(DataPageHeaderV2::id_statistics) ? &data.statistics : nullptr,
          "data_page_header_v2.statistics"};
}

StatedOrder stated_order(const ChunkScope& scope) {
  return {scope.column_order(), scope.context.footer.meta.fields.mentions(FileMetaData::id_column_orders)};
}

bool contradicts_bound(const StatisticsCheck& check, std::span<const std::uint8_t> value) {
  for (std::size_t i = 0; i < StatisticsCheck::kBounds; ++i) {
    if (check.is_broken_by(i, value)) return true;
  }
  return false;
}

class StatisticsObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    scope_ = &scope;
    use_ = &use;
    page_tally_.open(scope, use);
    page_ = {};
    tally_ = {};
    nan_entries_.clear();
    outside_entries_.clear();
    kept_ = {};
    outside_ = {};
    has_indices_ = by_use_ = out_of_memory_ = false;
    has_statistics_ = scope.meta().has(ColumnMetaData::id_statistics);
    needs_values_ = false;
    if (!has_statistics_) return {.pages = true, .choice = true};
    check_ = StatisticsCheck(scope.meta().statistics, scope.leaf, stated_order(scope), scope.site.findings);
    const Order order = order_of_bounds(scope.leaf, scope.column_order());
    entries_ = seen_ = tally_.values = MinMax(order, scope.leaf.type, scope.value_bytes());
    if (check_.counts_distinct())
      tally_.distinct = DistinctCounter(scope.leaf, scope.context.options.limits.memory_bytes / 16);
    needs_values_ = check_.needs_values();
    return {.dictionary = needs_values_, .values = needs_values_, .pages = true, .end = true, .choice = true};
  }

  void dictionary(const ValueSection&, const ValueBatch& batch) override { entries_.add(batch); }

  void end_dictionary(const ValueSection& section) override {
    by_use_ = check_.needs_used_entries(entries_);
    if (!by_use_) return;
    out_of_memory_ = !use_->ask_for_values();
    if (out_of_memory_) return;
    if (entries_.nan_count() != 0) mark_nans(section.spec);
    for (std::size_t i = 0; i < StatisticsCheck::kBounds; ++i) {
      if (outside_entries_.empty() && check_.is_broken_by(i, entries_)) mark_outside(section.spec);
    }
  }

  [[nodiscard]] bool expect_page(const Page& page) override {
    page_ = {};
    const Statistics* const statistics = statistics_of(page).first;
    page_.elsewhere = scope_->services.page_values.claims() != nullptr &&
                      scope_->services.page_values.claims()->are_about(page);
    if (statistics != nullptr) {
      page_.has_statistics = true;
      page_.check = StatisticsCheck(*statistics, scope_->leaf, stated_order(*scope_), scope_->site.findings);
    }
    page_.with_values = page_.elsewhere || (page_.has_statistics && page_.check.needs_values());
    page_.tallied = (page_.has_statistics || page_.elsewhere) &&
                    page_tally_.begin(page, page_.with_values, page_.check.counts_distinct(),
                                      needs_values_ ? &entries_ : nullptr);
    if (page_.with_values && !page_.tallied)
      scope_->services.not_run.push_back(
          {"statistics of the page", "its dictionary cannot be kept", page.place, {}});
    // If the Statistics of the chunk need values as well, the values of all pages are read.
    return page_.tallied && page_.with_values && !needs_values_;
  }

  void values(const ValueSection&, const ValueBatch& batch) override {
    const bool tallied = page_.tallied && page_.with_values;
    if (tallied) page_tally_.add(batch);
    if (!needs_values_) return;
    if (batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run) {
      has_indices_ = true;
      if (!nan_entries_.empty()) count_nans(batch);
      if (!outside_entries_.empty() && !page_.outside) look_for_outside(batch);
    } else {
      if (!tallied) tally_.values.add(batch);
      if (check_.counts_distinct()) tally_.distinct.add(batch);
    }
  }

  void end_page(const PageEnd& end) override {
    if (page_.tallied && page_.with_values && needs_values_) tally_.values.add(page_tally_.stored_values());
    if (page_.tallied && end.levels_known && end.values_known) judge_page(end);
    if (!end.levels_known || !has_statistics_) return;
    tally_.nulls += end.entries - end.levels.stored;
    tally_.null_leaves += end.levels.null_leaves;
    tally_.null_elements += end.levels.null_elements;
    if (end.values_known && needs_values_) find_outside(end);
  }

  void end_chunk(const ChunkEnd& end) override {
    if (!end.complete || !end.values_known || out_of_memory_) return;
    tally_.entries = scope_->meta().num_values;
    tally_.nans += tally_.values.nan_count();
    if (has_indices_) {
      const bool all = !by_use_ || use_->all_used();
      if (all) tally_.values.add(entries_);
      if (!all || check_.counts_distinct()) {
        use_->for_each_used(scope_->context.options.limits, scope_->services.budget,
                            [&](const ValueBatch& batch) {
                              if (!all) tally_.values.add(batch);
                              if (check_.counts_distinct()) tally_.distinct.add(batch);
                            });
      }
    }
    check_.judge(scope_->site.within("meta_data.statistics"), tally_, outside_);
    if (check_.counts_distinct() && tally_.distinct.overflown()) give_up_distinct(scope_->place);
  }

 private:
  void mark_nans(const ValueSpec& spec) {
    const View image = use_->image();
    const auto count = static_cast<std::size_t>(spec.count);
    const std::size_t width = image.size() / count;
    nan_entries_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      nan_entries_[i] = is_nan(order_of(scope_->leaf), image.bytes.subspan(i * width, width));
  }

  void count_nans(const ValueBatch& batch) noexcept {
    if (batch.form == ValueBatch::Form::index_run) {
      tally_.nans += nan_entries_[batch.run] ? batch.count : 0;
    } else {
      for (std::uint64_t i = 0; i < batch.count; ++i) tally_.nans += nan_entries_[batch.indices[i]] ? 1 : 0;
    }
  }

  /// Marks the entries that break a bound, to find the first page that refers to one.
  void mark_outside(const ValueSpec& spec) {
    kept_ = DictionaryView(use_->image().bytes, scope_->leaf.type, scope_->value_bytes(), spec.count);
    outside_entries_.resize(static_cast<std::size_t>(spec.count));
    for (std::size_t entry = 0; entry < kept_.size(); ++entry) {
      for (std::size_t i = 0; i < StatisticsCheck::kBounds; ++i) {
        if (check_.is_broken_by(i, kept_[entry])) outside_entries_[entry] = true;
      }
    }
  }

  void look_for_outside(const ValueBatch& batch) noexcept {
    if (batch.form == ValueBatch::Form::index_run) {
      page_.outside = page_.outside || outside_entries_[batch.run];
    } else {
      for (std::uint64_t i = 0; i < batch.count && !page_.outside; ++i)
        page_.outside = outside_entries_[batch.indices[i]];
    }
  }

  /// Judges the Statistics and the page index entry of this page.
  void judge_page(const PageEnd& end) {
    const ValueTally& tally = page_tally_.end(end);
    const PageClaims::Find find = [&](const auto& is_it) { return page_tally_.find(end, is_it); };
    if (page_.elsewhere) scope_->services.page_values.claims()->judge(end, tally, find);
    if (!page_.has_statistics) return;
    StatisticsCheck::Outside outside;
    for (std::size_t i = 0; i < outside.size(); ++i) {
      if (!page_.with_values || !page_.check.is_broken_by(i, tally.values)) continue;
      const std::optional<FoundValue> first =
          find([&](std::span<const std::uint8_t> value) { return page_.check.is_broken_by(i, value); });
      if (first) outside[i] = describe_first_outside(kBoundFields[i].lower, first->text(scope_->leaf, false));
    }
    const FindingSite header = FindingSite::of_page_header(scope_->site.findings, end.page);
    page_.check.judge(header.within(statistics_of(end.page).second), tally, outside);
    if (page_.check.counts_distinct() && tally.distinct.overflown()) give_up_distinct(end.page.place);
  }

  /// Keeps the first value that breaks a bound of the chunk, if this page has it.
  void find_outside(const PageEnd& end) {
    if (!page_.outside && tally_.values == seen_) return;
    seen_ = tally_.values;
    for (std::size_t i = 0; i < outside_.size(); ++i) {
      if (!outside_[i].empty() || !(page_.outside || check_.is_broken_by(i, tally_.values))) continue;
      const std::optional<FoundValue> first =
          find_value(*scope_, end, kept_,
                     [&](std::span<const std::uint8_t> value) { return check_.is_broken_by(i, value); });
      if (!first) continue;
      outside_[i] = describe_first_outside(kBoundFields[i].lower, first->text(scope_->leaf, true)) +
                    describe_foreign_values(*scope_, end, kept_, [this](std::span<const std::uint8_t> value) {
                      return contradicts_bound(check_, value);
                    });
    }
  }

  void give_up_distinct(const Place& place) const {
    scope_->services.not_run.push_back({"distinct_count", "the values take too much memory", place, {}});
  }

  /// State of the current page.
  struct AtPage {
    StatisticsCheck check;        ///< of its header
    bool has_statistics = false;  ///< in its header
    bool tallied = false;         ///< for its header or the page index
    bool with_values = false;     ///< the tally has values
    bool elsewhere = false;       ///< the page index needs its values
    bool outside = false;         ///< it refers to an entry that breaks a bound of the chunk
  };

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  bool has_statistics_ = false;  // of the chunk
  StatisticsCheck check_;        // of the chunk
  bool needs_values_ = false;    // of the chunk
  ValueTally tally_;
  PageTally page_tally_;
  AtPage page_;
  MinMax entries_;                     // of the dictionary
  std::vector<bool> nan_entries_;      // of the dictionary; empty if none is NaN
  std::vector<bool> outside_entries_;  // of the dictionary, that break a bound; empty if none does
  DictionaryView kept_;                // the dictionary, if an entry breaks a bound
  MinMax seen_;                        // the values before the current page
  StatisticsCheck::Outside outside_;   // for each bound the first value that breaks it
  bool has_indices_ = false;           // there are values that refer to the dictionary
  bool by_use_ = false;                // their values are taken from the used entries at the end
  bool out_of_memory_ = false;         // bounds are not judged
};

}  // namespace

std::unique_ptr<ChunkObserver> statistics_observer() { return std::make_unique<StatisticsObserver>(); }

}  // namespace parqproof
