#pragma once

#include <cstdint>

#include "codec/encoding/min_max.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/observers/distinct_counter.hpp"

namespace parqproof {

/// The order of min and max of a column; `stated`: its order in column_orders.
[[nodiscard]] inline Order order_of_values(const Node& leaf, Order stated) noexcept {
  return stated != Order::none ? stated : order_of(leaf);
}

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
