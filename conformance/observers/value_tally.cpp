#include "conformance/observers/value_tally.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Memory of a value in addition to its bytes: its end offset, and its share of a half-empty table.
constexpr std::uint64_t kPerValue = sizeof(std::size_t) + 4 * sizeof(std::uint32_t);

std::size_t hash_of(Bytes value) noexcept {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(value.data()), value.size()});
}

}  // namespace

bool is_zero(Bytes number, bool is_negative) noexcept {
  return !number.empty() && number.back() == (is_negative ? 0x80 : 0) &&
         std::ranges::all_of(number.first(number.size() - 1), [](std::uint8_t byte) { return byte == 0; });
}

std::size_t needless_bytes(Bytes decimal) noexcept {
  if (decimal.empty()) return 0;
  const std::uint8_t sign = decimal[0] < 0x80 ? 0x00 : 0xFF;
  std::size_t i = 0;
  while (i + 1 < decimal.size() && decimal[i] == sign && (decimal[i + 1] & 0x80) == (sign & 0x80)) ++i;
  return i;
}

void DistinctCounter::add(const ValueBatch& batch, const DictionaryView& dictionary) {
  const auto width = fixed_width(leaf_->type, static_cast<std::uint32_t>(std::max(leaf_->type_length, 0)));
  for_each_value(batch, width, dictionary, [this](Bytes value, std::uint64_t) { add(value); });
}

void DistinctCounter::add(const DistinctCounter& other) {
  overflown_ = overflown_ || other.overflown_;
  for (std::size_t i = 0; i < other.values_.size(); ++i) add(other.values_[i]);
}

void DistinctCounter::add(Bytes value) {
  if (overflown_) return;
  const bool is_new = numbers_.add(
      hash_of(value), [&](std::size_t number) { return std::ranges::equal(values_[number], value); },
      [this](std::size_t number) { return hash_of(values_[number]); });
  if (!is_new) return;
  bytes_ += value.size() + kPerValue;
  overflown_ = bytes_ > ceiling_;
  if (overflown_) {
    values_ = {};
    numbers_ = {};
    return;
  }
  values_.add(value);
}

std::uint64_t DistinctCounter::by_value() const {
  const Order order = order_of(*leaf_);
  if (order == Order::decimal_bytes) {
    DistinctCounter numbers(*leaf_, ceiling_);
    for (std::size_t i = 0; i < values_.size(); ++i)
      numbers.add(values_[i].subspan(needless_bytes(values_[i])));
    return numbers.by_bits();
  }
  if (!is_floating(order)) return by_bits();
  std::uint64_t count = 0;
  bool zero = false;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (is_nan(order, values_[i])) continue;
    const bool is_any_zero = is_zero(values_[i], false) || is_zero(values_[i], true);
    if (is_any_zero && std::exchange(zero, true)) continue;
    ++count;
  }
  return count;
}

}  // namespace parqproof
