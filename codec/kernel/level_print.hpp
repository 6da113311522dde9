#pragma once

#include <cstdint>

namespace parqproof {

/// Fingerprint of a stream of pairs of levels: two polynomials modulo 2^64 whose coefficients are the pairs.
struct LevelPrint {
  // Multipliers must not be even, so that none of their powers is a zero divisor.
  static constexpr std::uint64_t kFirstBase = 0x9E3779B97F4A7C15U;
  static constexpr std::uint64_t kSecondBase = 0xC2B2AE3D27D4EB4FU;

  std::uint64_t first = 1;
  std::uint64_t second = 1;

  /// Returns the coefficient of a pair.
  [[nodiscard]] static constexpr std::uint64_t code(std::uint32_t repetition,
                                                    std::uint32_t definition) noexcept {
    return std::uint64_t{repetition} << 32 | definition;
  }
  friend bool operator==(const LevelPrint&, const LevelPrint&) = default;
};

/// Projection of the levels of a leaf to a shared ancestor: pairs whose repetition level exceeds that of the
/// ancestor are dropped, definition levels are clamped to that of the ancestor.
struct LevelProjection {
  std::uint32_t repetition = 0;
  std::uint32_t definition = 0;
};

}  // namespace parqproof
