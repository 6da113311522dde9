#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace parqproof {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian and so are its kernels");

/// Loads a little-endian integer or IEEE 754 number; `bytes` need not be aligned.
template <typename T>
[[nodiscard]] inline T load_le(const std::uint8_t* bytes) noexcept {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// Number of bits that levels or indices up to `max` need: ceil(log2(max + 1)).
[[nodiscard]] constexpr unsigned bit_width_for(std::uint64_t max) noexcept {
  return static_cast<unsigned>(std::bit_width(max));
}

[[nodiscard]] constexpr std::uint64_t low_bits(unsigned width) noexcept {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t value, std::uint64_t by) noexcept {
  return value / by + (value % by != 0);
}

template <std::unsigned_integral U>
[[nodiscard]] constexpr std::make_signed_t<U> unzigzag(U value) noexcept {
  return static_cast<std::make_signed_t<U>>((value >> 1) ^ (U{0} - (value & 1)));
}

template <std::signed_integral S>
[[nodiscard]] constexpr std::make_unsigned_t<S> zigzag(S value) noexcept {
  using U = std::make_unsigned_t<S>;
  return static_cast<U>(static_cast<U>(value) << 1) ^ static_cast<U>(value >> (sizeof(S) * 8 - 1));
}

/// Sum clamped to the range of int64: counts and sizes from a file may add up to more than that.
[[nodiscard]] constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

}  // namespace parqproof
