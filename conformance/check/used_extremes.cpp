#include "conformance/check/used_extremes.hpp"

#include "codec/base/bits.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

/// A number of any width as 64 bits that compare like it.
template <NumberKey kKey>
std::uint64_t key_of_number(std::span<const std::uint8_t> value) noexcept {
  std::int64_t key = 0;
  if (value.size() == 8) key = number_key<kKey>(load_le<std::int64_t>(value.data()));
  if (value.size() == 4) key = number_key<kKey>(load_le<std::int32_t>(value.data()));
  if (value.size() == 2) key = number_key<kKey>(load_le<std::int16_t>(value.data()));
  return static_cast<std::uint64_t>(key) ^ std::uint64_t{1} << 63;
}

/// Where the keys of two values differ, they compare like the values.
std::uint64_t key_of(Order order, std::span<const std::uint8_t> value) noexcept {
  switch (order) {
    case Order::signed_int:
      return key_of_number<NumberKey::signed_int>(value);
    case Order::unsigned_int:
      return key_of_number<NumberKey::unsigned_int>(value);
    case Order::floating:
    case Order::float16:
    case Order::total:
    case Order::total16:
      return key_of_number<NumberKey::floating>(value);
    case Order::unsigned_bytes: {
      std::uint64_t first = 0;
      for (std::size_t i = 0; i < 8; ++i) first = first << 8 | (i < value.size() ? value[i] : 0U);
      return first;
    }
    case Order::none:
    case Order::boolean:
    case Order::decimal_bytes:
    case Order::int96:
      return 0;
  }
  return 0;
}

}  // namespace

void UsedExtremes::begin_dictionary(Order order) {
  *this = {};
  order_ = order;
}

void UsedExtremes::add_entry(std::span<const std::uint8_t> value) {
  entries_.add(value);
  keys_.push_back(key_of(order_, value));
  pages_.push_back(0);
  has_nans_ = has_nans_ || is_nan(order_, value);
}

void UsedExtremes::begin_page() noexcept {
  ++page_;
  lowest_.reset();
  highest_.reset();
  nan_entries_.clear();
  nan_count_ = 0;
}

void UsedExtremes::add(const ValueBatch& batch) {
  if (batch.form == ValueBatch::Form::index_run) add(batch.run, batch.count);
  if (batch.form != ValueBatch::Form::indices) return;
  for (std::uint64_t i = 0; i < batch.count; ++i) add(batch.indices[i], 1);
}

void UsedExtremes::add(std::uint32_t index, std::uint64_t times) {
  if (index >= pages_.size()) return;
  if (has_nans_ && is_nan(order_, entries_[index])) nan_count_ += times;
  if (pages_[index] == page_) return;
  pages_[index] = page_;
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

bool UsedExtremes::is_less(std::uint32_t a, std::uint32_t b) const noexcept {
  if (keys_[a] != keys_[b]) return keys_[a] < keys_[b];
  return compare(order_, entries_[a], entries_[b]) == Comparison::less;
}

}  // namespace parqproof
