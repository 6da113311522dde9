#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "codec/encoding/min_max.hpp"
#include "codec/format/statistics.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/check/context.hpp"
#include "conformance/check/judge.hpp"

namespace parqproof {

/// The place of claims about values: the struct that holds them, and the path from it to them. The same rules
/// judge claims at every such place.
struct ClaimSite {
  View bytes;  ///< from the first byte of the struct on
  const thrift::StructType& type;
  std::string_view path;
  Place place;

  /// Makes a finding at a field of the claims.
  void fault(const Judge& judge, Rule rule, std::string_view field, Contrast what) const;
};

/// Whether the schema gives no valid length for the values; schema/type-length is broken then.
[[nodiscard]] bool is_length_unknown(const Node& leaf) noexcept;
/// Bytes of a bound of this leaf; -1 where any number will do.
[[nodiscard]] std::int64_t bound_length(const Node& leaf) noexcept;
/// Whether a bound has as many bytes as a value of the leaf.
[[nodiscard]] bool has_length(const Node& leaf, const View& bound) noexcept;
/// Two values that differ, as text; where long ones read the same, with the first byte that tells them apart.
[[nodiscard]] Contrast told_apart(std::span<const std::uint8_t> found, std::span<const std::uint8_t> expected,
                                  const Node& leaf);
/// Whether a null_count that is not the number of entries without a value may be another reading of the text:
/// only the nulls whose parents are there, of which a required leaf has none; or the nulls among the elements
/// of the innermost list, with those whose group is null.
[[nodiscard]] bool leaves_out_parents(const Node& leaf, std::int64_t stated, std::uint64_t null_leaves,
                                      std::uint64_t null_elements) noexcept;

/// Whether the Statistics of a chunk say nothing wrong by themselves if their bounds compare by the order of
/// the type, as nearly all do.
[[nodiscard]] bool sound_statistics(const Node& leaf, const ChunkClaim& chunk, const Statistics& claims);

/// What the Statistics of the column chunks say that can be wrong without a look at values: lengths of
/// bounds, ranges of counts, bounds that contradict each other. For when column_orders, which stands behind
/// the chunks, is known; those that are sound by the order that it gives are passed.
void check_statistics(FileCheck& check);

/// What was found out about the values that a Statistics struct describes.
struct ValueTally {
  MinMax values;                    ///< all of them, in StatisticsClaims::order()
  std::uint64_t nans = 0;           ///< values that are NaN
  std::int64_t entries = 0;         ///< with those that are null
  std::uint64_t nulls = 0;          ///< entries without a value
  std::uint64_t null_leaves = 0;    ///< see LevelSums
  std::uint64_t null_elements = 0;  ///< see LevelSums
};

/// One Statistics struct, to be held against values (parquet.thrift#Statistics).
class StatisticsClaims {
 public:
  StatisticsClaims() = default;
  /// `stated`: the order that column_orders gives the column. All three outlive the claims.
  StatisticsClaims(const Statistics& claims, const Node& leaf, Order stated, const Judge& judge);

  /// Whether there are claims that only the values can confirm.
  [[nodiscard]] bool are_about_values() const noexcept { return about_values_; }
  /// The order in which the minimum and the maximum are to be found.
  [[nodiscard]] Order order() const noexcept;
  /// Whether the verdict depends on which of these dictionary entries values refer to. It does not where all
  /// entries lie inside the bounds and no bound has to be one of them.
  [[nodiscard]] bool ask_for_use(const MinMax& entries) const;
  /// Makes a finding of each claim that the values do not confirm.
  void judge(const ClaimSite& site, const ValueTally& tally) const;

 private:
  struct Bound;

  [[nodiscard]] std::array<Bound, 4> bounds() const;
  [[nodiscard]] bool is_judged(const Bound& bound) const;
  /// Whether the bound begins with its own length, as a BYTE_ARRAY value in a page does.
  [[nodiscard]] bool has_length_word(const Bound& bound) const;
  void judge_counts(const ClaimSite& site, const ValueTally& tally) const;
  void judge_bound(const ClaimSite& site, const Bound& bound, const MinMax& values) const;

  const Statistics* claims_ = nullptr;
  const Node* leaf_ = nullptr;
  const Judge* judge_ = nullptr;
  Order order_ = Order::none;       // of min_value and max_value
  Order deprecated_ = Order::none;  // of min and max
  bool about_values_ = false;
  bool contradictory_ = false;  // min_value is above max_value
  bool worded_ = false;         // a bound begins with its own length
};

}  // namespace parqproof
