#include "codec/schema/order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstring>
#include <limits>
#include <optional>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

Comparison from(std::partial_ordering ordering) {
  if (ordering == std::partial_ordering::less) return Comparison::less;
  if (ordering == std::partial_ordering::greater) return Comparison::greater;
  return ordering == std::partial_ordering::equivalent ? Comparison::equal : Comparison::unordered;
}

template <typename T>
Comparison numbers(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return from(load_le<T>(a.data()) <=> load_le<T>(b.data()));
}

// Converts sign and magnitude to two's complement, so that integers compare like the numbers.
template <typename T>
Comparison totals(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  const auto key = [](std::span<const std::uint8_t> value) {
    const T bits = load_le<T>(value.data());
    return bits < 0 ? static_cast<T>(bits ^ std::numeric_limits<T>::max()) : bits;
  };
  return from(key(a) <=> key(b));
}

Comparison decimals(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  if (a.empty() || b.empty()) return Comparison::unordered;  // not a number
  const bool a_negative = a[0] >= 0x80;
  const bool b_negative = b[0] >= 0x80;
  if (a_negative != b_negative) return a_negative ? Comparison::less : Comparison::greater;
  // The shorter number is sign-extended to the length of the longer one.
  const std::uint8_t fill = a_negative ? 0xFF : 0x00;
  const std::size_t length = std::max(a.size(), b.size());
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint8_t x = i < length - a.size() ? fill : a[i - (length - a.size())];
    const std::uint8_t y = i < length - b.size() ? fill : b[i - (length - b.size())];
    if (x != y) return x < y ? Comparison::less : Comparison::greater;
  }
  return Comparison::equal;
}

// Returns the order that the annotation defines; nullopt if it is that of the physical type.
std::optional<Order> order_of_annotation(const Node& leaf) {
  if (leaf.logical.is_unknown || leaf.logical.is_misfit || leaf.logical.is_conflict) return Order::none;
  if (leaf.logical.stated == LogicalKind::UNKNOWN) return Order::none;  // there are no values to compare
  const bool integer = leaf.type == Type::INT32 || leaf.type == Type::INT64;
  switch (leaf.logical.kind) {
    case LogicalKind::DECIMAL:
      return integer ? Order::signed_int : Order::decimal_bytes;
    case LogicalKind::INTEGER:
      return leaf.logical.is_signed ? Order::signed_int : Order::unsigned_int;
    case LogicalKind::TIMESTAMP:
      if (integer) return Order::signed_int;
      return leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.type_length == 12 ? Order::signed_96
                                                                               : Order::none;
    case LogicalKind::FLOAT16:
      return Order::float16;
    case LogicalKind::INTERVAL:
    case LogicalKind::GEOMETRY:
    case LogicalKind::GEOGRAPHY:
      return Order::none;
    default:
      return std::nullopt;
  }
}

}  // namespace

Order order_of(const Node& leaf) noexcept {
  if (const std::optional<Order> annotated = order_of_annotation(leaf)) return *annotated;
  switch (leaf.type) {
    case Type::BOOLEAN:
      return Order::boolean;
    case Type::INT32:
    case Type::INT64:
      return Order::signed_int;
    case Type::INT96:
      return Order::none;
    case Type::FLOAT:
    case Type::DOUBLE:
      return Order::floating;
    case Type::BYTE_ARRAY:
    case Type::FIXED_LEN_BYTE_ARRAY:
      return Order::unsigned_bytes;
  }
  return Order::none;
}

Order order_of(const Node& leaf, const ColumnOrder& order) noexcept {
  if (order.has(ColumnOrder::id_TYPE_ORDER)) return order_of(leaf);
  const Order defined = order_of(leaf);
  if (order.has(ColumnOrder::id_IEEE_754_TOTAL_ORDER)) {
    if (defined == Order::floating) return Order::total;
    if (defined == Order::float16) return Order::total16;
  }
  if (order.has(ColumnOrder::id_INT96_TIMESTAMP_ORDER) && leaf.type == Type::INT96) return Order::int96;
  return Order::none;
}

float half_to_float(std::uint16_t bits) noexcept {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1FU;
  const std::uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0) {  // zero or subnormal: fraction times 2^-24, exact in a float
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

Comparison compare(Order order, std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) noexcept {
  switch (order) {
    case Order::none:
      return Comparison::unordered;
    case Order::boolean:
      return from((a[0] & 1) <=> (b[0] & 1));
    case Order::signed_int:
      return a.size() == 4 ? numbers<std::int32_t>(a, b) : numbers<std::int64_t>(a, b);
    case Order::unsigned_int:
      return a.size() == 4 ? numbers<std::uint32_t>(a, b) : numbers<std::uint64_t>(a, b);
    case Order::floating:
      return a.size() == 4 ? numbers<float>(a, b) : numbers<double>(a, b);
    case Order::float16:
      return from(half_to_float(load_le<std::uint16_t>(a.data())) <=>
                  half_to_float(load_le<std::uint16_t>(b.data())));
    case Order::unsigned_bytes: {
      const std::size_t common = std::min(a.size(), b.size());
      const int difference = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
      return from(difference != 0 ? difference <=> 0 : a.size() <=> b.size());
    }
    case Order::decimal_bytes:
      return decimals(a, b);
    case Order::total:
      return a.size() == 4 ? totals<std::int32_t>(a, b) : totals<std::int64_t>(a, b);
    case Order::total16:
      return totals<std::int16_t>(a, b);
    case Order::int96: {
      const Comparison days = numbers<std::int32_t>(a.subspan(8), b.subspan(8));
      return days != Comparison::equal ? days : numbers<std::int64_t>(a, b);
    }
    case Order::signed_96: {
      const Comparison high = numbers<std::int32_t>(a.subspan(8), b.subspan(8));
      return high != Comparison::equal ? high : numbers<std::uint64_t>(a, b);
    }
  }
  return Comparison::unordered;
}

bool is_floating(Order order) noexcept {
  return order == Order::floating || order == Order::float16 || order == Order::total ||
         order == Order::total16;
}

bool is_nan(Order order, std::span<const std::uint8_t> value) noexcept {
  if (!is_floating(order)) return false;
  if (value.size() == 2) return std::isnan(half_to_float(load_le<std::uint16_t>(value.data())));
  return value.size() == 4 ? std::isnan(load_le<float>(value.data()))
                           : std::isnan(load_le<double>(value.data()));
}

}  // namespace parqproof
