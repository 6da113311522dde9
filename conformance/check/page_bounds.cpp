#include "conformance/check/page_bounds.hpp"

#include <algorithm>
#include <utility>

namespace parqproof {
namespace {

/// What an entry of the dictionary takes besides its bytes: where it ends, its rank and its place.
constexpr std::uint64_t kPerEntry = sizeof(std::size_t) + 2 * sizeof(std::uint32_t);

}  // namespace

ChunkObserver::Wants PageBoundsObserver::open(ChunkScope& scope, DictionaryUse&) {
  scope_ = &scope;
  order_ = order_of(scope.leaf);
  if (scope.bounds == nullptr || order_ == Order::none) return {};
  width_ = scope.width();
  dictionary_.clear();
  sorted_.clear();
  ranks_.clear();
  lowest_ = highest_ = kNone;
  values_ = MinMax(order_, scope.leaf.type, width_);
  return {.dictionary = true, .levels = false, .values = true, .pages = true, .end = false};
}

bool PageBoundsObserver::charge(std::uint64_t bytes) noexcept {
  BoundsOfPages& bounds = *scope_->bounds;
  bounds.overflown = bounds.overflown || bytes > bounds.room;
  if (!bounds.overflown) bounds.room -= bytes;
  return !bounds.overflown;
}

void PageBoundsObserver::dictionary(const ValueSection&, const ValueBatch& batch) {
  for_each_value(batch, width_, dictionary_, [this](std::span<const std::uint8_t> value, std::uint64_t) {
    if (charge(value.size() + kPerEntry)) dictionary_.add(value);
  });
}

/// Sorts the dictionary once, so that a page costs no more than its indices, however long the entries are.
void PageBoundsObserver::rank() {
  ranks_.assign(dictionary_.size(), kNone);
  for (std::uint32_t i = 0; i < dictionary_.size(); ++i) {
    if (compare(order_, dictionary_[i], dictionary_[i]) != Comparison::unordered) sorted_.push_back(i);
  }
  std::ranges::sort(sorted_, [this](std::uint32_t a, std::uint32_t b) {
    return compare(order_, dictionary_[a], dictionary_[b]) == Comparison::less;
  });
  for (std::uint32_t place = 0; place < sorted_.size(); ++place) ranks_[sorted_[place]] = place;
}

void PageBoundsObserver::add_index(std::uint32_t index) {
  if (index >= ranks_.size() || ranks_[index] == kNone) return;
  const std::uint32_t place = ranks_[index];
  lowest_ = lowest_ == kNone ? place : std::min(lowest_, place);
  highest_ = highest_ == kNone ? place : std::max(highest_, place);
}

void PageBoundsObserver::values(const ValueSection&, const ValueBatch& batch) {
  using Form = ValueBatch::Form;
  if (scope_->bounds->overflown) return;
  if (batch.form != Form::indices && batch.form != Form::index_run) return values_.add(batch);
  if (ranks_.size() != dictionary_.size()) rank();
  if (batch.form == Form::index_run) return add_index(batch.run);
  for (std::uint64_t i = 0; i < batch.count; ++i) add_index(batch.indices[i]);
}

void PageBoundsObserver::end_page(const PageEnd& end) {
  PageBounds page;
  page.page = end.page.ordinal();
  page.any = lowest_ != kNone || !(values_.empty() || values_.only_nans());
  if (lowest_ != kNone) {
    const std::span<const std::uint8_t> min = dictionary_[sorted_[std::exchange(lowest_, kNone)]];
    const std::span<const std::uint8_t> max = dictionary_[sorted_[std::exchange(highest_, kNone)]];
    page.min.assign(min.begin(), min.end());
    page.max.assign(max.begin(), max.end());
  } else if (page.any) {
    page.min = values_.min();
    page.max = values_.max();
  }
  values_ = MinMax(order_, scope_->leaf.type, width_);
  if (!charge(page.min.size() + page.max.size())) return;
  page.known = end.values_known;
  scope_->bounds->pages.push_back(std::move(page));
}

}  // namespace parqproof
