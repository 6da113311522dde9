#pragma once

#include <cstdint>

namespace parqproof {

/// A stream of pairs of levels as two polynomials modulo 2^64, whose coefficients are the pairs.
struct LevelPrint {
  // Odd, so that no power of them is a divisor of zero.
  static constexpr std::uint64_t kFirstBase = 0x9E3779B97F4A7C15U;
  static constexpr std::uint64_t kSecondBase = 0xC2B2AE3D27D4EB4FU;

  std::uint64_t first = 1;
  std::uint64_t second = 1;

  /// The coefficient of a pair.
  [[nodiscard]] static constexpr std::uint64_t code(std::uint32_t repetition,
                                                    std::uint32_t definition) noexcept {
    return std::uint64_t{repetition} << 32 | definition;
  }
  friend bool operator==(const LevelPrint&, const LevelPrint&) = default;
};

/// A shared ancestor, as far as the levels of a leaf tell of it: of the pairs whose repetition level is at
/// most its own, the definition level, at most its own.
struct LevelProjection {
  std::uint32_t repetition = 0;
  std::uint32_t definition = 0;
};

}  // namespace parqproof
