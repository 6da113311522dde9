#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace parqproof {

/// The integer type of ALP's numbers.
template <typename F>
using AlpInteger = std::conditional_t<sizeof(F) == 4, std::int32_t, std::int64_t>;

/// The powers of ten of one vector of ALP (AlpEncoding.md): two that turn a number into an integer, two for
/// the way back. Each product is rounded before the next multiplication.
template <typename F>
struct AlpScale {
  F up = 1;         ///< 10^exponent
  F down = 1;       ///< 10^-factor
  F back_up = 1;    ///< 10^factor
  F back_down = 1;  ///< 10^-exponent

  [[nodiscard]] F number(AlpInteger<F> integer) const noexcept {
    return static_cast<F>(integer) * back_up * back_down;
  }

  /// Whether rounding finds the integer that becomes exactly `value`, bit by bit; `integer` is 0 otherwise.
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
