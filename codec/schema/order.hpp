#pragma once

#include <cstdint>
#include <span>

#include "codec/schema/schema.hpp"

namespace parqproof {

/// How the values of a leaf compare when its column order is the type-defined one
/// (parquet.thrift#ColumnOrder).
enum class Order : std::uint8_t {
  none,            ///< undefined: INTERVAL, GEOMETRY, GEOGRAPHY, INT96, UNKNOWN
  boolean,         ///< false before true
  signed_int,      ///< two's complement, little-endian
  unsigned_int,    ///< little-endian
  floating,        ///< IEEE 754; NaN compares with nothing
  float16,         ///< the same in two bytes
  unsigned_bytes,  ///< byte by byte
  decimal_bytes,   ///< two's complement, big-endian, of any length
};

[[nodiscard]] Order order_of(const Node& leaf) noexcept;

enum class Comparison : std::uint8_t { less, equal, greater, unordered };

/// Compares two PLAIN values (a BYTE_ARRAY without its length word) of one leaf.
[[nodiscard]] Comparison compare(Order order, std::span<const std::uint8_t> a,
                                 std::span<const std::uint8_t> b) noexcept;

/// A half-precision number as a float.
[[nodiscard]] float half_to_float(std::uint16_t bits) noexcept;

}  // namespace parqproof
