#include "conformance/values/number_judges.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kWideBytes = 16;

/// Returns 10^digits - 1 in two's complement, big-endian, in as few bytes as possible.
std::vector<std::uint8_t> all_nines(std::int32_t digits) {
  constexpr std::int32_t kStep = 9;  // digits appended by one multiplication
  std::vector<std::uint32_t> limbs{0};
  for (std::int32_t left = digits; left > 0; left -= kStep) {
    std::uint64_t factor = 1;
    for (std::int32_t i = 0; i < std::min(left, kStep); ++i) factor *= 10;
    std::uint64_t carry = factor - 1;
    for (std::uint32_t& limb : limbs) {
      carry += limb * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
  }
  std::vector<std::uint8_t> bytes{0};
  for (auto limb = limbs.rbegin(); limb != limbs.rend(); ++limb) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(*limb >> shift));
  }
  std::size_t surplus = 0;
  while (surplus + 1 < bytes.size() && bytes[surplus] == 0 && bytes[surplus + 1] < 0x80) ++surplus;
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(surplus));
  return bytes;
}

/// Returns the negated number.
std::vector<std::uint8_t> negated(std::vector<std::uint8_t> bytes) {
  bool carry = true;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    *byte = static_cast<std::uint8_t>(~*byte + (carry ? 1 : 0));
    carry = carry && *byte == 0;
  }
  return bytes;
}

/// Number of leading bytes that only repeat the sign.
std::size_t needless_bytes(std::span<const std::uint8_t> value) {
  if (value.empty()) return 0;
  const std::uint8_t sign = value[0] < 0x80 ? 0x00 : 0xFF;
  std::size_t i = 0;
  while (i + 1 < value.size() && value[i] == sign && (value[i + 1] & 0x80) == (sign & 0x80)) ++i;
  return i;
}

}  // namespace

RangeJudge::RangeJudge(Rule rule, const Node& leaf, std::int64_t low, std::int64_t high,
                       FindingValue expected)
    : rule_(rule), leaf_(leaf), low_(low), high_(high), expected_(std::move(expected)) {}

void RangeJudge::judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) {
  if (batch.form != ValueBatch::Form::fixed) return;
  const auto count = static_cast<std::size_t>(batch.count);
  const auto find = [&]<typename T>(const KeyRange<T>& range) {
    if (range.min >= low_ && range.max <= high_) return;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = load_le<T>(batch.fixed + i * sizeof(T));
      if (value < low_ || value > high_) faulty.push_back({i, rule_});
    }
  };
  if (leaf_.type == Type::INT32) {
    find(kernels().key_range32(batch.fixed, count, NumberKey::signed_int));
  } else {
    find(kernels().key_range64(batch.fixed, count, NumberKey::signed_int));
  }
}

Contrast RangeJudge::describe(Rule, std::span<const std::uint8_t> value) {
  if (rule_ == Rule::logical_type_decimal_digits) return contrast(short_value(value, leaf_), expected_);
  const std::int64_t number =
      leaf_.type == Type::INT32 ? load_le<std::int32_t>(value.data()) : load_le<std::int64_t>(value.data());
  return contrast(number, expected_);
}

DecimalBytesJudge::DecimalBytesJudge(const Node& leaf) : leaf_(leaf) {
  // 2^3.321 is less than 10.
  constexpr std::size_t kMilliBits = 3'321;
  const auto digits = static_cast<std::size_t>(leaf.logical.precision);
  always_fits_ = leaf.logical.precision > kMostDigits ? SIZE_MAX : digits * kMilliBits / 1000 / 8;
}

void DecimalBytesJudge::find_bounds() {
  max_ = all_nines(leaf_.logical.precision);
  min_ = negated(max_);
  if (max_.size() > kWideBytes) return;
  wide_max_ = wide(max_);
  wide_min_ = wide(min_);
}

/// Reads a two's complement number of at most 16 bytes, big-endian.
DecimalBytesJudge::Wide DecimalBytesJudge::wide(std::span<const std::uint8_t> value) noexcept {
  if (value.size() == kWideBytes) {
    const std::uint64_t high = __builtin_bswap64(load_le<std::uint64_t>(value.data()));
    return {static_cast<std::int64_t>(high),
            __builtin_bswap64(load_le<std::uint64_t>(value.data() + kWideBytes / 2))};
  }
  std::uint64_t low = value[0] < 0x80 ? 0 : ~std::uint64_t{0};
  std::uint64_t high = low;
  for (const std::uint8_t byte : value) {
    high = high << 8 | low >> 56;
    low = low << 8 | byte;
  }
  return {static_cast<std::int64_t>(high), low};
}

bool DecimalBytesJudge::fits(std::span<const std::uint8_t> value) {
  if (value.size() <= always_fits_) return true;
  if (max_.empty()) find_bounds();
  if (value.size() < max_.size()) return true;
  if (value.size() <= kWideBytes) {
    const Wide number = wide(value);
    return number <= wide_max_ && number >= wide_min_;
  }
  return compare(Order::decimal_bytes, value, max_) != Comparison::greater &&
         compare(Order::decimal_bytes, value, min_) != Comparison::less;
}

void DecimalBytesJudge::judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) {
  const bool is_variable = batch.form == ValueBatch::Form::byte_arrays;
  if (!is_variable && batch.form != ValueBatch::Form::fixed) return;
  const auto width = static_cast<std::uint32_t>(std::max(leaf_.type_length, 0));
  if (!is_variable && width <= always_fits_) return;
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const std::span<const std::uint8_t> value = bytes_of(batch, i, width);
    if (value.empty()) {
      faulty.push_back({i, Rule::logical_type_decimal_bytes_empty});
      continue;
    }
    if (is_variable && needless_bytes(value) != 0)
      faulty.push_back({i, Rule::logical_type_decimal_bytes_minimal});
    if (!fits(value)) faulty.push_back({i, Rule::logical_type_decimal_digits});
  }
}

Contrast DecimalBytesJudge::describe(Rule rule, std::span<const std::uint8_t> value) {
  if (rule == Rule::logical_type_decimal_bytes_empty) return contrast(count_of_bytes(0), or_more(1));
  if (rule == Rule::logical_type_decimal_bytes_minimal) {
    const std::size_t min_bytes = value.size() - needless_bytes(value);
    return contrast(FindingValue::Count{value.size(), "bytes"}, min_bytes);
  }
  return contrast(short_value(value, leaf_),
                  "at most " + std::to_string(leaf_.logical.precision) + " digits");
}

void UnknownJudge::judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) {
  faulty.push_back({0, Rule::logical_type_unknown_values, batch.count});
}

Contrast UnknownJudge::describe(Rule, std::span<const std::uint8_t> value) {
  return contrast(value.empty() ? "there" : short_value(value, leaf_), "null");
}

}  // namespace parqproof
