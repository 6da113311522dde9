#pragma once

#include <compare>

#include "conformance/values/value_judges.hpp"

namespace parqproof {

/// The values of an INT32 or INT64 column are within inclusive bounds: logical-type/integer-range,
/// logical-type/time-range, logical-type/decimal-digits.
class RangeJudge final : public ValueJudge {
 public:
  /// `expected` is the text for the range.
  RangeJudge(Rule rule, const Node& leaf, std::int64_t low, std::int64_t high, FindingValue expected);
  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override;
  [[nodiscard]] Contrast describe(Rule rule, std::span<const std::uint8_t> value) override;

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

  explicit DecimalBytesJudge(const Node& leaf);
  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override;
  [[nodiscard]] Contrast describe(Rule rule, std::span<const std::uint8_t> value) override;

 private:
  /// A number of 128 bits.
  struct Wide {
    std::int64_t high = 0;
    std::uint64_t low = 0;

    friend auto operator<=>(const Wide&, const Wide&) = default;
  };

  [[nodiscard]] static Wide wide(std::span<const std::uint8_t> value) noexcept;
  [[nodiscard]] bool fits(std::span<const std::uint8_t> value);
  void find_bounds();

  const Node& leaf_;
  std::size_t always_fits_;        // numbers of up to so many bytes always fit
  std::vector<std::uint8_t> max_;  // largest number that fits, big-endian; empty until computed
  std::vector<std::uint8_t> min_;
  Wide wide_max_;  // the same, if it has at most 16 bytes
  Wide wide_min_;
};

/// logical-type/unknown-values: all values are null.
class UnknownJudge final : public ValueJudge {
 public:
  explicit UnknownJudge(const Node& leaf) noexcept : leaf_(leaf) {}
  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override;
  [[nodiscard]] Contrast describe(Rule rule, std::span<const std::uint8_t> value) override;
  [[nodiscard]] bool judges_entries() const noexcept override { return false; }

 private:
  const Node& leaf_;
};

}  // namespace parqproof
