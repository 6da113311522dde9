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

/// Returns true if a null_count that is not the number of entries without a value follows another reading of
/// parquet.thrift: only nulls whose parents are not null, of which a required leaf has none; or nulls among
/// the elements of the innermost list, including those whose group is null.
[[nodiscard]] bool is_leaf_null_count(const Node& leaf, std::int64_t stated, std::uint64_t null_leaves,
                                      std::uint64_t null_elements) noexcept;

/// Detail of a finding about a bound, which begins with its separator: "; the first below it is 7".
[[nodiscard]] std::string describe_first_outside(bool lower, const std::string& value);

/// Compares one Statistics struct with values (parquet.thrift#Statistics).
class StatisticsCheck {
 public:
  static constexpr std::size_t kBounds = 4;
  /// For each of kBoundFields the text of the first value that breaks it; empty if not known.
  using Outside = std::array<std::string, kBounds>;

  StatisticsCheck() = default;
  /// `stated`: the order of the column. The other three outlive the check.
  StatisticsCheck(const Statistics& statistics, const Node& leaf, const StatedOrder& stated,
                  const Findings& findings);

  /// Returns true if there are fields that only the values can confirm.
  [[nodiscard]] bool needs_values() const noexcept { return needs_values_; }
  /// Returns true if distinct values have to be counted.
  [[nodiscard]] bool counts_distinct() const noexcept { return counts_distinct_; }
  /// Returns true if the verdict depends on which of these dictionary entries values refer to. It does not if
  /// all entries are inside the bounds, no bound has to be one of them, and they are not counted.
  [[nodiscard]] bool needs_used_entries(const MinMax& entries) const;
  /// Returns true if these values break kBoundFields[number].
  [[nodiscard]] bool is_broken_by(std::size_t number, const MinMax& values) const;
  [[nodiscard]] bool is_broken_by(std::size_t number, std::span<const std::uint8_t> value) const;
  /// Returns true if the values break exactly one of two contradicting bounds.
  [[nodiscard]] bool can_identify_wrong_bound(const MinMax& values) const;
  /// Reports each field that the values do not confirm.
  void judge(const FindingSite& site, const ValueTally& tally, const Outside& outside = {}) const;

 private:
  struct Bound;

  [[nodiscard]] Bound bound(std::size_t number) const;
  [[nodiscard]] std::array<Bound, kBounds> bounds() const;
  [[nodiscard]] bool is_judged(const Bound& bound) const;
  [[nodiscard]] bool is_broken_by(const Bound& bound, const MinMax& values) const;
  /// Returns true if the bound begins with the length of its rest, and statistics/bound-length is selected.
  [[nodiscard]] bool begins_with_length_prefix(const Bound& bound) const;
  void judge_counts(const FindingSite& site, const ValueTally& tally) const;
  void judge_distinct(const FindingSite& site, const ValueTally& tally) const;
  [[nodiscard]] bool judge_bound(const FindingSite& site, const Bound& bound, const ValueTally& tally,
                                 const std::string& outside) const;
  void judge_without_value(const FindingSite& site, const Bound& bound, const ValueTally& tally) const;
  [[nodiscard]] bool judge_form(const FindingSite& site, const Bound& bound,
                                std::span<const std::uint8_t> truth) const;
  void judge_pair(const FindingSite& site, const Bound& deprecated, const Bound& bound,
                  std::span<const std::uint8_t> truth) const;

  const Statistics* statistics_ = nullptr;
  const Node* leaf_ = nullptr;
  const Findings* findings_ = nullptr;
  Order order_ = Order::none;       // of min_value and max_value
  Order deprecated_ = Order::none;  // of min and max
  bool lacks_orders_ = false;       // there is no column_orders: order_ is that of the type
  bool has_other_order_ = false;    // min and max are wrong only if they are in every order
  bool needs_values_ = false;
  bool counts_distinct_ = false;
  bool contradictory_ = false;      // min_value is greater than max_value
  bool has_length_prefix_ = false;  // of a bound
};

}  // namespace parqproof
