#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/kernel/alp_scale.hpp"

/// Definitions shared by the decoder and the encoder of ALP.
namespace parqproof::alp {

/// Powers of ten of exponents and factors (AlpEncoding.md).
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
using Integer = AlpInteger<F>;

/// Bytes of a vector header: exponent, factor, number of exceptions, frame of reference, bit width.
template <typename F>
inline constexpr std::size_t kHeaderBytes = kAlpInfoBytes + sizeof(F) + 1;

/// Returns the powers of ten for an exponent and a factor.
template <typename F>
[[nodiscard]] constexpr AlpScale<F> scale_of(unsigned exponent, unsigned factor) noexcept {
  return {Powers<F>::kUp[exponent], Powers<F>::kDown[factor], Powers<F>::kUp[factor],
          Powers<F>::kDown[exponent]};
}

}  // namespace parqproof::alp
