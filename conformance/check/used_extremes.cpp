#include "conformance/check/used_extremes.hpp"

#include <utility>

namespace parqproof {
void UsedExtremes::begin_dictionary(Order order, DictionaryView entries) {
  order_ = order;
  entries_ = std::move(entries);
  if (pages_.size() < entries_.size()) pages_.resize(entries_.size());
  has_nans_ = false;
  for (std::size_t i = 0; is_floating(order) && i < entries_.size() && !has_nans_; ++i)
    has_nans_ = is_nan(order, entries_[i]);
}

void UsedExtremes::begin_page() noexcept {
  ++page_;
  used_ = 0;
  lowest_.reset();
  highest_.reset();
  nan_entries_.clear();
  nan_count_ = 0;
}

void UsedExtremes::add(const ValueBatch& batch) {
  if (used_ == entries_.size() && !has_nans_) return;
  if (batch.form == ValueBatch::Form::index_run) add(batch.run, batch.count);
  if (batch.form != ValueBatch::Form::indices) return;
  for (std::uint64_t i = 0; i < batch.count; ++i) add(batch.indices[i], 1);
}

void UsedExtremes::add(std::uint32_t index, std::uint64_t times) {
  if (index >= entries_.size()) return;
  if (has_nans_ && is_nan(order_, entries_[index])) nan_count_ += times;
  if (pages_[index] == page_) return;
  pages_[index] = page_;
  ++used_;
  use(index);
}

/// An entry that the page has not referred to before.
void UsedExtremes::use(std::uint32_t index) {
  if (has_nans_ && is_nan(order_, entries_[index])) {
    nan_entries_.push_back(index);
  } else if (!lowest_) {
    if (compare(order_, entries_[index], entries_[index]) != Comparison::unordered) lowest_ = highest_ = index;
  } else if (is_less(index, *lowest_)) {
    lowest_ = index;
  } else if (is_less(*highest_, index)) {
    highest_ = index;
  }
}

}  // namespace parqproof
