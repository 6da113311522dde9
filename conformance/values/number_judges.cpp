#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/schema/decimal.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/observers/value_tally.hpp"
#include "conformance/values/value_judges.hpp"

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
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(needless_bytes(bytes)));
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

/// The values of an INT32 or INT64 column are within inclusive bounds: logical-type/integer-range,
/// logical-type/time-range, logical-type/decimal-digits.
class RangeJudge final : public ValueJudge {
 public:
  /// `expected` is the text for the range.
  RangeJudge(Rule rule, const Node& leaf, std::int64_t low, std::int64_t high, FindingValue expected)
      : rule_(rule), leaf_(leaf), low_(low), high_(high), expected_(std::move(expected)) {}

  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override {
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

  [[nodiscard]] Contrast describe(Rule, std::span<const std::uint8_t> value) override {
    if (rule_ == Rule::logical_type_decimal_digits) return contrast(short_value(value, leaf_), expected_);
    const std::int64_t number =
        leaf_.type == Type::INT32 ? load_le<std::int32_t>(value.data()) : load_le<std::int64_t>(value.data());
    return contrast(number, expected_);
  }

 private:
  Rule rule_;
  const Node& leaf_;
  std::int64_t low_;
  std::int64_t high_;
  FindingValue expected_;
};

/// The values of a DECIMAL column of bytes: logical-type/decimal-digits, and for BYTE_ARRAY also
/// logical-type/decimal-bytes-empty and logical-type/decimal-bytes-minimal.
class DecimalBytesJudge final : public ValueJudge {
 public:
  /// Max precision for which digits are counted.
  static constexpr std::int32_t kMostDigits = 10'000;

  explicit DecimalBytesJudge(const Node& leaf) : leaf_(leaf) {
    // 2^3.321 is less than 10.
    constexpr std::size_t kMilliBits = 3'321;
    const auto digits = static_cast<std::size_t>(leaf.logical.precision);
    always_fits_ = leaf.logical.precision > kMostDigits ? SIZE_MAX : digits * kMilliBits / 1000 / 8;
  }

  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override {
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

  [[nodiscard]] Contrast describe(Rule rule, std::span<const std::uint8_t> value) override {
    if (rule == Rule::logical_type_decimal_bytes_empty) return contrast(count_of_bytes(0), or_more(1));
    if (rule == Rule::logical_type_decimal_bytes_minimal) {
      const std::size_t min_bytes = value.size() - needless_bytes(value);
      return contrast(count_of_bytes(value.size()), min_bytes);
    }
    return contrast(short_value(value, leaf_),
                    "at most " + counted(static_cast<std::uint64_t>(leaf_.logical.precision), "digit"));
  }

 private:
  /// A number of 128 bits.
  struct Wide {
    std::int64_t high = 0;
    std::uint64_t low = 0;

    friend auto operator<=>(const Wide&, const Wide&) = default;
  };

  /// Reads a two's complement number of at most 16 bytes, big-endian.
  [[nodiscard]] static Wide wide(std::span<const std::uint8_t> value) noexcept {
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

  [[nodiscard]] bool fits(std::span<const std::uint8_t> value) {
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

  void find_bounds() {
    max_ = all_nines(leaf_.logical.precision);
    min_ = negated(max_);
    if (max_.size() > kWideBytes) return;
    wide_max_ = wide(max_);
    wide_min_ = wide(min_);
  }

  const Node& leaf_;
  std::size_t always_fits_;        // numbers of up to so many bytes always fit
  std::vector<std::uint8_t> max_;  // largest number that fits, big-endian; empty until computed
  std::vector<std::uint8_t> min_;
  Wide wide_max_;  // the same, if it has at most 16 bytes
  Wide wide_min_;
};

/// logical-type/integer-range: 32 and 64 bits need no check, because every value is in range.
std::unique_ptr<ValueJudge> integer_judge(const Node& leaf, const Findings& findings) {
  const int bits = leaf.logical.bit_width;
  if (leaf.type != Type::INT32 || (bits != 8 && bits != 16)) return nullptr;
  if (!findings.wants(Rule::logical_type_integer_range)) return nullptr;
  const bool is_signed = leaf.logical.is_signed;
  const std::int64_t values = std::int64_t{1} << bits;
  const std::int64_t low = is_signed ? -values / 2 : 0;
  const std::int64_t high = low + values - 1;
  return std::make_unique<RangeJudge>(Rule::logical_type_integer_range, leaf, low, high, between(low, high));
}

std::unique_ptr<ValueJudge> time_judge(const Node& leaf, const Findings& findings) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  const SecondUnit unit = leaf.logical.unit;
  const Type carrier = unit == SecondUnit::MILLIS ? Type::INT32 : Type::INT64;
  if (unit == SecondUnit::none || leaf.type != carrier || !findings.wants(Rule::logical_type_time_range))
    return nullptr;
  std::int64_t day = kSecondsOfDay;
  for (unsigned i = 0; i < digits_of(unit); ++i) day *= 10;
  return std::make_unique<RangeJudge>(Rule::logical_type_time_range, leaf, 0, day - 1, between(0, day - 1));
}

std::unique_ptr<ValueJudge> decimal_judge(const Node& leaf, const Findings& findings) {
  const std::int32_t precision = leaf.logical.precision;
  const std::optional<std::int32_t> most = most_digits(leaf.type, leaf.type_length);
  const bool variable = leaf.type == Type::BYTE_ARRAY;
  if (precision < 1 || !(most || variable) || precision > most.value_or(INT32_MAX)) return nullptr;
  const bool digits = findings.wants(Rule::logical_type_decimal_digits);
  if (leaf.type == Type::INT32 || leaf.type == Type::INT64) {
    if (!digits) return nullptr;
    std::int64_t bound = 1;
    for (std::int32_t i = 0; i < precision; ++i) bound *= 10;
    return std::make_unique<RangeJudge>(Rule::logical_type_decimal_digits, leaf, 1 - bound, bound - 1,
                                        "at most " + counted(static_cast<std::uint64_t>(precision), "digit"));
  }
  const bool about_bytes = variable && (findings.wants(Rule::logical_type_decimal_bytes_empty) ||
                                        findings.wants(Rule::logical_type_decimal_bytes_minimal));
  if (!digits && !about_bytes) return nullptr;
  return std::make_unique<DecimalBytesJudge>(leaf);
}

}  // namespace

std::unique_ptr<ValueJudge> number_judge(const Node& leaf, const Findings& findings) {
  if (leaf.logical.kind == LogicalKind::INTEGER) return integer_judge(leaf, findings);
  if (leaf.logical.kind == LogicalKind::TIME) return time_judge(leaf, findings);
  return decimal_judge(leaf, findings);
}

}  // namespace parqproof
