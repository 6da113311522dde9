#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/encoding/min_max.hpp"
#include "codec/format/statistics.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/observers/value_tally.hpp"
#include "conformance/state/finding_site.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {

/// Whether a null_count that is not the number of entries without a value may be another reading of the text:
/// only the nulls whose parents are there, of which a required leaf has none; or the nulls among the elements
/// of the innermost list, with those whose group is null.
[[nodiscard]] bool leaves_out_parents(const Node& leaf, std::int64_t stated, std::uint64_t null_leaves,
                                      std::uint64_t null_elements) noexcept;

/// One Statistics struct, to be held against values (parquet.thrift#Statistics).
class StatisticsCheck {
 public:
  static constexpr std::size_t kBounds = 4;
  /// For each bound the value that breaks it first, in words; empty where that is not known.
  using Outside = std::array<std::string, kBounds>;

  StatisticsCheck() = default;
  /// `stated`: the order that column_orders gives the column. All three outlive the claims.
  StatisticsCheck(const Statistics& claims, const Node& leaf, Order stated, const Findings& findings);

  /// Whether there are claims that only the values can confirm.
  [[nodiscard]] bool are_about_values() const noexcept { return about_values_; }
  /// Whether the different values are to be counted.
  [[nodiscard]] bool counts_distinct() const noexcept { return counts_distinct_; }
  /// Whether the verdict depends on which of these dictionary entries values refer to. It does not where all
  /// entries lie inside the bounds, no bound has to be one of them, and nobody counts them.
  [[nodiscard]] bool ask_for_use(const MinMax& entries) const;
  /// Whether bound `number`, below kBounds, is one that these values break.
  [[nodiscard]] bool is_broken_by(std::size_t number, const MinMax& values) const;
  [[nodiscard]] bool is_broken_by(std::size_t number, std::span<const std::uint8_t> value) const;
  /// Whether the values break one of two bounds that contradict each other, and not the other one.
  [[nodiscard]] bool names_wrong_field(const MinMax& values) const;
  /// A bound that values break, and the first of them.
  [[nodiscard]] static std::string words_for(std::size_t bound, const std::string& value);
  /// Makes a finding of each claim that the values do not confirm.
  void judge(const FindingSite& site, const ValueTally& tally, const Outside& outside = {}) const;

 private:
  struct Bound;

  [[nodiscard]] Bound bound(std::size_t number) const;
  [[nodiscard]] std::array<Bound, kBounds> bounds() const;
  [[nodiscard]] bool is_judged(const Bound& bound) const;
  /// Whether the bound begins with its own length, as a BYTE_ARRAY value in a page does.
  [[nodiscard]] bool is_worded(const Bound& bound) const;
  [[nodiscard]] std::int64_t stated_nulls(const ValueTally& tally) const;
  void judge_counts(const FindingSite& site, const ValueTally& tally) const;
  void judge_distinct(const FindingSite& site, const ValueTally& tally) const;
  [[nodiscard]] bool judge_bound(const FindingSite& site, const Bound& bound, const ValueTally& tally,
                                 const std::string& outside) const;
  void judge_without_value(const FindingSite& site, const Bound& bound, const ValueTally& tally) const;
  [[nodiscard]] bool judge_form(const FindingSite& site, const Bound& bound,
                                std::span<const std::uint8_t> truth) const;
  void judge_pair(const FindingSite& site, const Bound& deprecated, const Bound& bound,
                  std::span<const std::uint8_t> truth) const;

  const Statistics* claims_ = nullptr;
  const Node* leaf_ = nullptr;
  const Findings* findings_ = nullptr;
  Order order_ = Order::none;       // of min_value and max_value
  Order deprecated_ = Order::none;  // of min and max
  bool about_values_ = false;
  bool counts_distinct_ = false;
  bool contradictory_ = false;  // min_value is above max_value
  bool worded_ = false;         // a bound begins with its own length
};

}  // namespace parqproof
