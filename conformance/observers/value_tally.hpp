#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/encoding/min_max.hpp"
#include "codec/encoding/values.hpp"
#include "codec/page/value_bytes.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/observers/number_table.hpp"

namespace parqproof {

/// Returns true for an annotation whose values have no order.
[[nodiscard]] constexpr bool has_no_order(LogicalKind kind) noexcept {
  return kind == LogicalKind::INTERVAL || kind == LogicalKind::GEOMETRY || kind == LogicalKind::GEOGRAPHY;
}

/// The order of min and max of a column; `stated`: its order in column_orders.
[[nodiscard]] inline Order order_of_values(const Node& leaf, Order stated) noexcept {
  return stated != Order::none ? stated : order_of(leaf);
}

/// The order of the min and max with which bounds are compared. Values without an order compare as bytes,
/// which is one of the readings of the deprecated bounds.
[[nodiscard]] inline Order order_of_bounds(const Node& leaf, Order stated) noexcept {
  const Order order = order_of_values(leaf, stated);
  return order == Order::none && has_no_order(leaf.logical.kind) ? Order::unsigned_bytes : order;
}

/// Returns true if a floating-point number is -0.0 (`is_negative`) or 0.0.
[[nodiscard]] bool is_zero(std::span<const std::uint8_t> number, bool is_negative) noexcept;

/// Number of leading bytes of a big-endian decimal that only repeat its sign.
[[nodiscard]] std::size_t needless_bytes(std::span<const std::uint8_t> decimal) noexcept;

/// Counts the distinct values of one leaf exactly: each is kept once. Counting stops when they take more than
/// `ceiling` bytes of memory.
class DistinctCounter {
 public:
  DistinctCounter() = default;
  DistinctCounter(const Node& leaf, std::uint64_t ceiling) noexcept : leaf_(&leaf), ceiling_(ceiling) {}

  /// Adds values; `dictionary` has the values that indices refer to.
  void add(const ValueBatch& batch, const DictionaryView& dictionary);
  /// Adds a batch of values; indices are ignored.
  void add(const ValueBatch& batch) { add(batch, {}); }
  /// Adds the values of another counter of the same leaf.
  void add(const DistinctCounter& other);

  [[nodiscard]] bool overflown() const noexcept { return overflown_; }
  /// Number of values with different bits.
  [[nodiscard]] std::uint64_t by_bits() const noexcept { return values_.size(); }
  /// Number of values that differ as numbers: 0.0 and -0.0 are one value, NaN is none, and decimals compare
  /// by their numbers.
  [[nodiscard]] std::uint64_t by_value() const;

 private:
  void add(std::span<const std::uint8_t> value);

  const Node* leaf_ = nullptr;
  std::uint64_t ceiling_ = 0;
  std::uint64_t bytes_ = 0;
  DictionaryEntries values_;
  NumberTable numbers_;  // of values_, in order of insertion
  bool overflown_ = false;
};

/// Counts of the values that a Statistics struct describes.
struct ValueTally {
  MinMax values;                    ///< all of them, in order_of_values()
  DistinctCounter distinct;         ///< the distinct values, if they are counted
  std::uint64_t nans = 0;           ///< values that are NaN
  std::int64_t entries = 0;         ///< including nulls
  std::uint64_t nulls = 0;          ///< entries without a value
  std::uint64_t null_leaves = 0;    ///< see LevelSums
  std::uint64_t null_elements = 0;  ///< see LevelSums
};

}  // namespace parqproof
