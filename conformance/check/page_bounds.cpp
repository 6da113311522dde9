#include "conformance/check/page_bounds.hpp"

#include <algorithm>
#include <utility>

namespace parqproof {
namespace {

/// What an entry of the dictionary takes besides its bytes: where it ends, its rank and its place.
constexpr std::uint64_t kPerEntry = sizeof(std::size_t) + 2 * sizeof(std::uint32_t);

}  // namespace

void Bounds::add(Order order, std::span<const std::uint8_t> value) {
  if (compare(order, value, value) == Comparison::unordered) return;
  if (!any || compare(order, value, min) == Comparison::less) min.assign(value.begin(), value.end());
  if (!any || compare(order, value, max) == Comparison::greater) max.assign(value.begin(), value.end());
  any = true;
}

bool BoundsObserver::charge(std::uint64_t bytes) noexcept {
  overflown_ = overflown_ || bytes > room_;
  if (!overflown_) room_ -= bytes;
  return !overflown_;
}

void BoundsObserver::dictionary_entry(std::span<const std::uint8_t> value) {
  if (charge(value.size() + kPerEntry)) dictionary_.add(value);
}

/// Sorts the dictionary once, so that a page costs no more than its indices, however long the entries are.
void BoundsObserver::rank() {
  ranks_.assign(dictionary_.size(), kNone);
  for (std::uint32_t i = 0; i < dictionary_.size(); ++i) {
    if (compare(order_, dictionary_[i], dictionary_[i]) != Comparison::unordered) sorted_.push_back(i);
  }
  std::ranges::sort(sorted_, [this](std::uint32_t a, std::uint32_t b) {
    return compare(order_, dictionary_[a], dictionary_[b]) == Comparison::less;
  });
  for (std::uint32_t place = 0; place < sorted_.size(); ++place) ranks_[sorted_[place]] = place;
}

void BoundsObserver::add_index(std::uint32_t index) {
  if (index >= ranks_.size() || ranks_[index] == kNone) return;
  const std::uint32_t place = ranks_[index];
  lowest_ = lowest_ == kNone ? place : std::min(lowest_, place);
  highest_ = highest_ == kNone ? place : std::max(highest_, place);
}

void BoundsObserver::add(const ValueBatch& batch) {
  using Form = ValueBatch::Form;
  if (overflown_) return;
  if (batch.form == Form::indices || batch.form == Form::index_run) {
    if (ranks_.size() != dictionary_.size()) rank();
    if (batch.form == Form::index_run) return add_index(batch.run);
    for (std::uint64_t i = 0; i < batch.count; ++i) add_index(batch.indices[i]);
    return;
  }
  for_each_value(batch, width_, dictionary_, [this](auto value, auto) { bounds_.add(order_, value); });
}

Bounds BoundsObserver::take(bool known) {
  if (lowest_ != kNone) {
    bounds_.add(order_, dictionary_[sorted_[std::exchange(lowest_, kNone)]]);
    bounds_.add(order_, dictionary_[sorted_[std::exchange(highest_, kNone)]]);
  }
  Bounds taken = std::exchange(bounds_, {});
  if (!charge(taken.min.size() + taken.max.size())) return {};
  taken.known = known;
  return taken;
}

}  // namespace parqproof
