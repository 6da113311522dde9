#include "conformance/check/statistics_observer.hpp"

namespace parqproof {

ChunkObserver::Wants StatisticsObserver::open(ChunkScope& scope, DictionaryUse& use) {
  if (!scope.meta().has(ColumnMetaData::id_statistics)) return {};
  scope_ = &scope;
  use_ = &use;
  claims_ = StatisticsClaims(scope.meta().statistics, scope.leaf, scope.stated_order(), scope.judge);
  tally_ = {};
  entries_ = tally_.values = MinMax(claims_.order(), scope.leaf.type, scope.width());
  nan_entries_.clear();
  has_indices_ = by_use_ = out_of_memory_ = false;
  const bool about_values = claims_.are_about_values();
  return {.dictionary = about_values, .levels = false, .values = about_values, .pages = true, .end = true};
}

void StatisticsObserver::dictionary(const ValueSection&, const ValueBatch& batch) { entries_.add(batch); }

void StatisticsObserver::end_dictionary(const ValueSection& section) {
  by_use_ = claims_.ask_for_use(entries_);
  if (!by_use_) return;
  out_of_memory_ = !use_->ask_for_values();
  if (!out_of_memory_ && entries_.nan_count() != 0) mark_nans(section.spec);
}

void StatisticsObserver::mark_nans(const ValueSpec& spec) {
  const View image = use_->image();
  const auto count = static_cast<std::size_t>(spec.count);
  const std::size_t width = image.size() / count;
  nan_entries_.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    nan_entries_[i] = is_nan(order_of(scope_->leaf), image.bytes.subspan(i * width, width));
}

void StatisticsObserver::count_nans(const ValueBatch& batch) noexcept {
  if (batch.form == ValueBatch::Form::index_run) {
    tally_.nans += nan_entries_[batch.run] ? batch.count : 0;
  } else {
    for (std::uint64_t i = 0; i < batch.count; ++i) tally_.nans += nan_entries_[batch.indices[i]] ? 1 : 0;
  }
}

void StatisticsObserver::values(const ValueSection&, const ValueBatch& batch) {
  if (batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run) {
    has_indices_ = true;
    if (!nan_entries_.empty()) count_nans(batch);
  } else {
    tally_.values.add(batch);
  }
}

void StatisticsObserver::end_page(const PageEnd& end) {
  if (!end.levels_known) return;
  tally_.nulls += end.entries - end.levels.stored;
  tally_.null_leaves += end.levels.null_leaves;
  tally_.null_elements += end.levels.null_elements;
}

void StatisticsObserver::end_chunk(const ChunkEnd& end) {
  if (!end.complete || !end.values_known || out_of_memory_) return;
  tally_.entries = scope_->meta().num_values;
  tally_.nans += tally_.values.nan_count();
  if (has_indices_) {
    if (!by_use_ || use_->all_used()) {
      tally_.values.add(entries_);
    } else {
      use_->for_each_used(scope_->context.options.limits, scope_->budget,
                          [this](const ValueBatch& batch) { tally_.values.add(batch); });
    }
  }
  claims_.judge({scope_->bytes, ColumnChunk::kType, "meta_data.statistics", scope_->place}, tally_);
}

}  // namespace parqproof
