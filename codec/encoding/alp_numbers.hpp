#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

/// What the decoder and the encoder of ALP share.
namespace parqproof::alp {

/// The powers of ten that exponents and factors name (AlpEncoding.md).
template <typename F>
struct Powers;
template <>
struct Powers<float> {
  static constexpr unsigned kMaxExponent = 10;
  static constexpr std::array<float, kMaxExponent + 1> kUp{1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                                           1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
  static constexpr std::array<float, kMaxExponent + 1> kDown{1e0F,  1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F,
                                                             1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
};
template <>
struct Powers<double> {
  static constexpr unsigned kMaxExponent = 18;
  static constexpr std::array<double, kMaxExponent + 1> kUp{
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  static constexpr std::array<double, kMaxExponent + 1> kDown{1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,
                                                              1e-7,  1e-8,  1e-9,  1e-10, 1e-11, 1e-12, 1e-13,
                                                              1e-14, 1e-15, 1e-16, 1e-17, 1e-18};
};

inline constexpr std::size_t kOffsetBytes = 4;
inline constexpr std::size_t kPositionBytes = 2;
inline constexpr std::size_t kAlpInfoBytes = 4;

template <typename F>
using Integer = std::conditional_t<sizeof(F) == 4, std::int32_t, std::int64_t>;

/// Of a vector: exponent, factor and number of exceptions, the frame of reference, the bit width.
template <typename F>
inline constexpr std::size_t kHeaderBytes = kAlpInfoBytes + sizeof(F) + 1;

/// Two multiplications with two roundings, in this order.
template <typename F>
[[nodiscard]] F decode(Integer<F> integer, unsigned exponent, unsigned factor) noexcept {
  return static_cast<F>(integer) * Powers<F>::kUp[factor] * Powers<F>::kDown[exponent];
}

template <typename F>
[[nodiscard]] bool same_bits(F a, F b) noexcept {
  using Bits = std::make_unsigned_t<Integer<F>>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// The integer that decodes to exactly `value`, if rounding finds one.
template <typename F>
[[nodiscard]] bool encode(F value, unsigned exponent, unsigned factor, Integer<F>& integer) noexcept {
  const F scaled = std::nearbyint(value * Powers<F>::kUp[exponent] * Powers<F>::kDown[factor]);
  constexpr F kLimit = -static_cast<F>(std::numeric_limits<Integer<F>>::min());
  if (!(scaled >= -kLimit && scaled < kLimit)) return false;
  integer = static_cast<Integer<F>>(scaled);
  return same_bits(decode<F>(integer, exponent, factor), value);
}

}  // namespace parqproof::alp
