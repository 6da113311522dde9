#pragma once

#include <algorithm>
#include <cstdint>

#include "codec/base/bits.hpp"

namespace parqproof {

/// Bytes of a byte array that its key holds.
inline constexpr std::uint32_t kPrefixBytes = 7;

/// A number that compares as the byte array does, but for two of more than kPrefixBytes that begin alike:
/// the first kPrefixBytes bytes, zeros behind a shorter one, then its size, cut at one more. Of two that
/// equal each other's zeros the longer one is greater. `first`: the first 8 bytes, the first of them highest;
/// what stands behind the byte array has no part in the key.
[[nodiscard]] constexpr std::uint64_t prefix_key(std::uint64_t first, std::uint32_t size) noexcept {
  const std::uint64_t behind = ~std::uint64_t{0} >> 8 * std::min(size, kPrefixBytes);
  return (first & ~behind) | std::min(size, kPrefixBytes + 1);
}

/// Keys from `low` to `high`, both included, once the bits of `flip` have been inverted.
struct PrefixRange {
  std::uint64_t low = 0;
  std::uint64_t high = ~std::uint64_t{0};
  std::uint64_t flip = 0;  ///< the highest bit, where the first byte is signed

  [[nodiscard]] constexpr bool holds(std::uint64_t key) const noexcept {
    return (key ^ flip) >= low && (key ^ flip) <= high;
  }
};

/// The key of a byte array that has 8 readable bytes from its beginning.
[[nodiscard]] inline std::uint64_t prefix_key_at(const std::uint8_t* data, std::uint32_t size) noexcept {
  return prefix_key(__builtin_bswap64(load_le<std::uint64_t>(data)), size);
}

}  // namespace parqproof
