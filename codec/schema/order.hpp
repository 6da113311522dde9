#pragma once

#include <cstdint>
#include <span>

#include "codec/format/file_meta_data.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// How values compare (parquet.thrift#ColumnOrder).
enum class Order : std::uint8_t {
  /// Undefined: INTERVAL, GEOMETRY, GEOGRAPHY, INT96, UNKNOWN. Not known: of a LogicalType that is not known,
  /// and where annotations and physical type contradict each other: by which of them the writer compared
  /// cannot be told.
  none,
  boolean,         ///< false before true
  signed_int,      ///< two's complement, little-endian
  unsigned_int,    ///< little-endian
  floating,        ///< IEEE 754; NaN compares with nothing
  float16,         ///< the same in two bytes
  unsigned_bytes,  ///< byte by byte
  decimal_bytes,   ///< two's complement, big-endian, of any length
  total,           ///< FLOAT, DOUBLE: IEEE 754 totalOrder, in which bits decide
  total16,         ///< the same for FLOAT16
  int96,           ///< the days of an INT96 timestamp, then its nanoseconds
};

/// How the values of a leaf compare when its column order is the type-defined one.
[[nodiscard]] Order order_of(const Node& leaf) noexcept;

/// How the values of a leaf compare under its entry in column_orders; none where that is unknown, or is not
/// for such a leaf.
[[nodiscard]] Order order_of(const Node& leaf, const ColumnOrder& order) noexcept;

enum class Comparison : std::uint8_t { less, equal, greater, unordered };

/// Compares two PLAIN values (a BYTE_ARRAY without its length word) of one leaf.
[[nodiscard]] Comparison compare(Order order, std::span<const std::uint8_t> a,
                                 std::span<const std::uint8_t> b) noexcept;

/// The values are floating-point numbers.
[[nodiscard]] bool is_floating(Order order) noexcept;

/// A value of one leaf is NaN; false in an order of anything but floating-point numbers.
[[nodiscard]] bool is_nan(Order order, std::span<const std::uint8_t> value) noexcept;

/// A half-precision number as a float.
[[nodiscard]] float half_to_float(std::uint16_t bits) noexcept;

}  // namespace parqproof
