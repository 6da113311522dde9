#include "conformance/observers/page_bounds.hpp"

#include <utility>

namespace parqproof {

ChunkObserver::Wants PageBoundsObserver::open(const ChunkScope& scope, DictionaryUsage& use) {
  scope_ = &scope;
  use_ = &use;
  order_ = order_of(scope.leaf);
  if (scope.services.page_values.bounds() == nullptr || order_ == Order::none) return {};
  width_ = scope.value_bytes();
  dictionary_ = {};
  values_ = MinMax(order_, scope.leaf.type, width_);
  return {.dictionary = true, .levels = false, .values = true, .pages = true, .end = false};
}

bool PageBoundsObserver::charge(std::uint64_t bytes) noexcept {
  BoundsOfPages& bounds = *scope_->services.page_values.bounds();
  bounds.overflown = bounds.overflown || bytes > bounds.room;
  if (!bounds.overflown) bounds.room -= bytes;
  return !bounds.overflown;
}

void PageBoundsObserver::end_dictionary(const ValueSection& section) {
  const std::uint64_t count = section.spec.count;
  if (!charge(section.bytes.size() + count * DictionaryView::kPerEntry) || !use_->ask_for_values()) return;
  dictionary_ = {use_->image().bytes, scope_->leaf.type, width_, count};
}

void PageBoundsObserver::values(const ValueSection&, const ValueBatch& batch) {
  if (scope_->services.page_values.bounds()->overflown) return;
  const bool coded = batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run;
  values_.add(coded ? dictionary_.values_of(batch) : batch);
}

void PageBoundsObserver::end_page(const PageEnd& end) {
  PageBounds page;
  page.page = end.page.ordinal();
  page.any = !(values_.empty() || values_.only_nans());
  if (page.any) {
    const PlainBytes min = values_.min();
    const PlainBytes max = values_.max();
    page.min.assign(min.begin(), min.end());
    page.max.assign(max.begin(), max.end());
  }
  values_ = MinMax(order_, scope_->leaf.type, width_);
  if (!charge(page.min.size() + page.max.size())) return;
  page.known = end.values_known;
  scope_->services.page_values.bounds()->pages.push_back(std::move(page));
}

}  // namespace parqproof
