#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The hash of a value, and the bits of it in a split block Bloom filter (BloomFilter.md).
namespace parqproof {

/// The numbers that XXH64 multiplies by and adds.
namespace xxhash {
inline constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87U;
inline constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FU;
inline constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9U;
inline constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63U;
inline constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5U;
}  // namespace xxhash

/// A block: eight words of 32 bits, each stored little-endian, so bit 0 is the lowest of the first byte.
struct BloomBlock {
  static constexpr std::size_t kWords = 8;
  static constexpr std::size_t kBytes = 32;
  std::array<std::uint32_t, kWords> words{};
};

/// The block of a hash in a filter of `blocks` blocks, one at least.
[[nodiscard]] constexpr std::uint64_t bloom_block(std::uint64_t hash, std::uint64_t blocks) noexcept {
  return (hash >> 32) * blocks >> 32;
}

/// What the lower half of a hash is multiplied by for each word of its block.
inline constexpr std::array<std::uint32_t, BloomBlock::kWords> kBloomSalt{
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

/// Which bit of a word (0 to 7) of its block the hash stands for: 0 to 31.
[[nodiscard]] constexpr unsigned bloom_bit(std::uint64_t hash, std::size_t word) noexcept {
  return static_cast<std::uint32_t>(hash) * kBloomSalt[word] >> 27;
}

/// The bits of a hash in its block, one in each word.
[[nodiscard]] constexpr BloomBlock bloom_mask(std::uint64_t hash) noexcept {
  BloomBlock mask;
  for (std::size_t i = 0; i < BloomBlock::kWords; ++i) mask.words[i] = std::uint32_t{1} << bloom_bit(hash, i);
  return mask;
}

}  // namespace parqproof
