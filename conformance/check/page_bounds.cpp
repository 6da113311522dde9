#include "conformance/check/page_bounds.hpp"

#include <utility>

namespace parqproof {

ChunkObserver::Wants PageBoundsObserver::open(ChunkScope& scope, DictionaryUse& use) {
  scope_ = &scope;
  use_ = &use;
  order_ = order_of(scope.leaf);
  if (scope.bounds == nullptr || order_ == Order::none) return {};
  width_ = scope.width();
  used_.begin_dictionary(order_, {});
  used_.begin_page();
  values_ = MinMax(order_, scope.leaf.type, width_);
  return {.dictionary = true, .levels = false, .values = true, .pages = true, .end = false};
}

bool PageBoundsObserver::charge(std::uint64_t bytes) noexcept {
  BoundsOfPages& bounds = *scope_->bounds;
  bounds.overflown = bounds.overflown || bytes > bounds.room;
  if (!bounds.overflown) bounds.room -= bytes;
  return !bounds.overflown;
}

void PageBoundsObserver::end_dictionary(const ValueSection& section) {
  const std::uint64_t count = section.spec.count;
  if (!charge(section.bytes.size() + count * UsedExtremes::kPerEntry) || !use_->ask_for_values()) return;
  used_.begin_dictionary(order_, {use_->image().bytes, scope_->leaf.type, width_, count});
  used_.begin_page();
}

void PageBoundsObserver::values(const ValueSection&, const ValueBatch& batch) {
  if (scope_->bounds->overflown) return;
  values_.add(batch);
  used_.add(batch);
}

void PageBoundsObserver::end_page(const PageEnd& end) {
  PageBounds page;
  page.page = end.page.ordinal();
  page.any = used_.lowest() || !(values_.empty() || values_.only_nans());
  if (used_.lowest()) {
    const std::span<const std::uint8_t> min = used_.entries()[*used_.lowest()];
    const std::span<const std::uint8_t> max = used_.entries()[*used_.highest()];
    page.min.assign(min.begin(), min.end());
    page.max.assign(max.begin(), max.end());
  } else if (page.any) {
    page.min = values_.min();
    page.max = values_.max();
  }
  values_ = MinMax(order_, scope_->leaf.type, width_);
  used_.begin_page();
  if (!charge(page.min.size() + page.max.size())) return;
  page.known = end.values_known;
  scope_->bounds->pages.push_back(std::move(page));
}

}  // namespace parqproof
