#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "codec/base/bits.hpp"

namespace parqproof {

/// Max bytes of a byte array that its key contains.
inline constexpr std::uint32_t kPrefixBytes = 7;

/// The bits of a key that hold bytes of an array, by its size, clamped to kPrefixBytes + 1. A table, because
/// the sizes of texts are hard to predict for a branch.
inline constexpr std::array<std::uint64_t, kPrefixBytes + 2> kPrefixMasks = [] {
  std::array<std::uint64_t, kPrefixBytes + 2> masks{};
  for (std::uint32_t size = 0; size < masks.size(); ++size)
    masks[size] = ~(~std::uint64_t{0} >> 8 * std::min(size, kPrefixBytes));
  return masks;
}();

/// A number with the order of the byte arrays; only arrays longer than kPrefixBytes with a common prefix may
/// have equal keys. It contains the first kPrefixBytes bytes, padded with zeros, then the size, clamped to
/// kPrefixBytes + 1, so that of two arrays that differ only in trailing zeros the longer one is larger.
/// `first`: the first 8 bytes, big-endian; bytes after the end of the byte array are ignored.
[[nodiscard]] constexpr std::uint64_t prefix_key(std::uint64_t first, std::uint32_t size) noexcept {
  const std::uint32_t held = std::min(size, kPrefixBytes + 1);
  return (first & kPrefixMasks[held]) | held;
}

/// Keys in [low, high], after the bits of `flip` have been inverted.
struct PrefixRange {
  std::uint64_t low = 0;
  std::uint64_t high = ~std::uint64_t{0};
  std::uint64_t flip = 0;  ///< the highest bit if the first byte is signed

  [[nodiscard]] constexpr bool holds(std::uint64_t key) const noexcept {
    return (key ^ flip) >= low && (key ^ flip) <= high;
  }
};

/// Returns the key of a byte array with at least 8 readable bytes at `data`.
[[nodiscard]] inline std::uint64_t prefix_key_at(const std::uint8_t* data, std::uint32_t size) noexcept {
  return prefix_key(__builtin_bswap64(load_le<std::uint64_t>(data)), size);
}

}  // namespace parqproof
