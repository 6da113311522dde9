#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace parqproof {

/// Integer type of ALP's encoded numbers.
template <typename F>
using AlpInteger = std::conditional_t<sizeof(F) == 4, std::int32_t, std::int64_t>;

/// The powers of ten of one ALP vector (AlpEncoding.md): two that encode a number as an integer, two that
/// decode it. Each product is rounded before the next multiplication.
template <typename F>
struct AlpScale {
  F up = 1;         ///< 10^exponent
  F down = 1;       ///< 10^-factor
  F back_up = 1;    ///< 10^factor
  F back_down = 1;  ///< 10^-exponent

  [[nodiscard]] F number(AlpInteger<F> integer) const noexcept {
    return static_cast<F>(integer) * back_up * back_down;
  }

  /// Finds the integer that decodes exactly to `value`, bit by bit. Returns false and sets `integer` to 0 if
  /// there is none.
  [[nodiscard]] bool find_integer(F value, AlpInteger<F>& integer) const noexcept {
    using Bits = std::make_unsigned_t<AlpInteger<F>>;
    constexpr F kLimit = -static_cast<F>(std::numeric_limits<AlpInteger<F>>::min());
    const F scaled = std::nearbyint(value * up * down);
    integer = 0;
    if (!(scaled >= -kLimit && scaled < kLimit)) return false;
    const auto found = static_cast<AlpInteger<F>>(scaled);
    if (std::bit_cast<Bits>(number(found)) != std::bit_cast<Bits>(value)) return false;
    integer = found;
    return true;
  }
};

}  // namespace parqproof
