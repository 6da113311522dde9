#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// Hash of a value, and its bits in a split block Bloom filter (BloomFilter.md).
namespace parqproof {

/// Constants of XXH64.
namespace xxhash {
inline constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87U;
inline constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FU;
inline constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9U;
inline constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63U;
inline constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5U;
}  // namespace xxhash

/// A block: eight 32-bit words, each stored little-endian, so bit 0 is the lowest bit of the first byte.
struct BloomBlock {
  static constexpr std::size_t kWords = 8;
  static constexpr std::size_t kBytes = 32;
  std::array<std::uint32_t, kWords> words{};
};

/// Returns the index of the block of a hash in a filter of `blocks` > 0 blocks.
[[nodiscard]] constexpr std::uint64_t bloom_block(std::uint64_t hash, std::uint64_t blocks) noexcept {
  return (hash >> 32) * blocks >> 32;
}

/// Multipliers of the lower half of a hash, one for each word of the block.
inline constexpr std::array<std::uint32_t, BloomBlock::kWords> kBloomSalt{
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

/// Returns the bit (0 to 31) that the hash sets in word 0 to 7 of its block.
[[nodiscard]] constexpr unsigned bloom_bit(std::uint64_t hash, std::size_t word) noexcept {
  return static_cast<std::uint32_t>(hash) * kBloomSalt[word] >> 27;
}

/// Returns the bits that a hash sets in its block, one in each word.
[[nodiscard]] constexpr BloomBlock bloom_mask(std::uint64_t hash) noexcept {
  BloomBlock mask;
  for (std::size_t i = 0; i < BloomBlock::kWords; ++i) mask.words[i] = std::uint32_t{1} << bloom_bit(hash, i);
  return mask;
}

}  // namespace parqproof
