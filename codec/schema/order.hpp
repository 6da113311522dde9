#pragma once

#include <cstdint>
#include <span>

#include "codec/format/file_meta_data.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// Sort orders of values (parquet.thrift#ColumnOrder).
enum class Order : std::uint8_t {
  /// Undefined for INTERVAL, GEOMETRY, GEOGRAPHY, INT96 and UNKNOWN. Unknown for an unknown LogicalType, and
  /// if annotations and physical type contradict each other, because it is not known which of them the writer
  /// used.
  none,
  boolean,         ///< false before true
  signed_int,      ///< two's complement, little-endian
  unsigned_int,    ///< little-endian
  floating,        ///< IEEE 754; NaN is unordered
  float16,         ///< the same for FLOAT16
  unsigned_bytes,  ///< unsigned bytewise comparison
  decimal_bytes,   ///< two's complement, big-endian, of any length
  total,           ///< FLOAT, DOUBLE: IEEE 754 totalOrder, which orders all bit patterns
  total16,         ///< the same for FLOAT16
  int96,           ///< the days of an INT96 timestamp, then its nanoseconds
  signed_96,       ///< two's complement, little-endian, of 96 bits
};

/// Returns the order of the values of a leaf whose column order is TYPE_ORDER.
[[nodiscard]] Order order_of(const Node& leaf) noexcept;

/// Returns the order of the values of a leaf with this entry in column_orders; none if the entry is unknown
/// or not allowed for the leaf.
[[nodiscard]] Order order_of(const Node& leaf, const ColumnOrder& order) noexcept;

enum class Comparison : std::uint8_t { less, equal, greater, unordered };

/// Compares two PLAIN values of one leaf; a BYTE_ARRAY is given without its length prefix.
[[nodiscard]] Comparison compare(Order order, std::span<const std::uint8_t> a,
                                 std::span<const std::uint8_t> b) noexcept;

/// Returns true if the values are floating-point numbers.
[[nodiscard]] bool is_floating(Order order) noexcept;

/// Returns true for IEEE 754 totalOrder, in which NaN has a place.
[[nodiscard]] constexpr bool is_total(Order order) noexcept {
  return order == Order::total || order == Order::total16;
}

/// Returns true if the value is NaN; always false unless is_floating(order).
[[nodiscard]] bool is_nan(Order order, std::span<const std::uint8_t> value) noexcept;

/// Converts a half-precision number to float.
[[nodiscard]] float half_to_float(std::uint16_t bits) noexcept;

}  // namespace parqproof
