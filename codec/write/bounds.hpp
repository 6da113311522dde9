#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/encoding/min_max.hpp"
#include "codec/format/statistics.hpp"
#include "codec/record/entries.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "codec/write/options.hpp"

namespace parqproof {

/// Bounds of values as metadata states them: below or equal to the min, and above or equal to the max.
struct Bounds {
  bool exist = false;
  std::vector<std::uint8_t> min;  ///< PLAIN bytes, without length prefix
  std::vector<std::uint8_t> max;
  bool min_is_exact = true;
  bool max_is_exact = true;
};

/// Returns the bounds of values, none if they have no order. A bound of byte arrays with more than `most`
/// bytes is truncated, between characters if it is text. Zeros of floating-point numbers are -0.0 as min and
/// +0.0 as max, and there are no bounds of NaNs alone (parquet.thrift#ColumnOrder).
[[nodiscard]] Bounds bounds_of(const MinMax& values, Order order, const Node& leaf, std::uint32_t most);

/// Counts of the entries of a page or chunk.
struct PageCounts {
  std::uint64_t entries = 0;
  std::uint64_t rows = 0;
  std::uint64_t stored = 0;                ///< entries with a value
  std::uint64_t byte_array_bytes = 0;      ///< of values of type BYTE_ARRAY, without length prefixes
  std::vector<std::uint64_t> repetitions;  ///< entries of each level, if there are levels
  std::vector<std::uint64_t> definitions;

  explicit PageCounts(const Node& leaf);
  void add(const PageCounts& more);
  /// Counts entries of the leaf, but not the bytes of their values.
  void add(const Entries& more, const Node& leaf);
  [[nodiscard]] std::uint64_t nulls() const noexcept { return entries - stored; }
};

/// Statistics of `values` and `counts`. They refer to `bounds`.
[[nodiscard]] Statistics statistics_of(const Bounds& bounds, const PageCounts& counts, const MinMax& values,
                                       Order order, const ColumnOptions& options);

}  // namespace parqproof
