#include "codec/file/bloom_filter.hpp"

// Inlines the library, so that values of a known width are hashed without a function call.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <cstring>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

std::uint64_t hash_of(const std::uint8_t* value, std::size_t size) noexcept { return XXH64(value, size, 0); }

/// Hashes values of `Width` bytes.
template <std::size_t Width, typename Hashes>
void hash_fixed(const std::uint8_t* values, std::size_t count, Hashes& out) noexcept {
  for (std::size_t i = 0; i < count; ++i) out[i] = hash_of(values + i * Width, Width);
}

/// Returns true if no bit of the block is set.
bool is_empty(const BloomBlock& block) noexcept {
  return std::ranges::all_of(block.words, [](std::uint32_t word) { return word == 0; });
}

}  // namespace

std::uint64_t bloom_hash(std::span<const std::uint8_t> value) noexcept {
  return hash_of(value.data(), value.size());
}

void bloom_insert(std::span<std::uint8_t> bitset, std::uint64_t hash) noexcept {
  const BloomBlock mask = bloom_mask(hash);
  std::uint8_t* const words =
      bitset.data() + bloom_block(hash, bitset.size() / BloomBlock::kBytes) * BloomBlock::kBytes;
  for (std::size_t i = 0; i < BloomBlock::kWords; ++i) {
    const std::uint32_t word = load_le<std::uint32_t>(words + 4 * i) | mask.words[i];
    std::memcpy(words + 4 * i, &word, sizeof word);
  }
}

BloomBlock BloomFilter::block(std::uint64_t index) const noexcept {
  BloomBlock block;
  std::memcpy(block.words.data(), bytes_ + index * BloomBlock::kBytes, BloomBlock::kBytes);
  return block;
}

std::optional<BloomFilter::Bit> BloomFilter::missing(std::uint64_t hash) const noexcept {
  const std::uint64_t index = bloom_block(hash, blocks_);
  const BloomBlock have = block(index);
  const BloomBlock want = bloom_mask(hash);
  for (unsigned i = 0; i < BloomBlock::kWords; ++i) {
    if ((want.words[i] & ~have.words[i]) != 0)
      return Bit{index, i, static_cast<unsigned>(std::countr_zero(want.words[i]))};
  }
  return std::nullopt;
}

void BloomFilter::hash(const ValueBatch& batch, std::uint32_t width, std::uint64_t from, std::size_t count,
                       Hashes& out) noexcept {
  if (batch.form == ValueBatch::Form::byte_arrays) {
    return kernels().bloom.hash_arrays(batch.byte_arrays + from, count, out.data());
  }
  const std::uint8_t* const values = batch.fixed + from * width;
  switch (width) {
    case 4:
      return kernels().bloom.hash32(values, count, out.data());
    case 8:
      return kernels().bloom.hash64(values, count, out.data());
    case 12:
      return hash_fixed<12>(values, count, out);
    case 16:
      return hash_fixed<16>(values, count, out);
    default:
      for (std::size_t i = 0; i < count; ++i) out[i] = hash_of(values + i * width, width);
  }
}

BloomFilter::Fill BloomFilter::fill() const noexcept {
  constexpr double kWordBits = 32;
  constexpr double kEverySet = 1ULL << 40;  // 32 to the power of 8
  Fill fill;
  double passing = 0;  // how many of the 2^40 possible masks pass, summed over the blocks
  for (std::uint64_t i = 0; i < blocks_; ++i) {
    std::uint64_t product = 1;
    for (const std::uint32_t word : block(i).words) {
      const auto bits = static_cast<std::uint64_t>(std::popcount(word));
      fill.bits += bits;
      product *= bits;
    }
    passing += static_cast<double>(product);
  }
  const auto blocks = static_cast<double>(blocks_);
  const double all = blocks * kWordBits * BloomBlock::kWords;
  fill.false_positives = passing / kEverySet / blocks;
  // A value sets one of 32 bits in each word, so after n values in a block, (31/32)^n of the bits are unset.
  const double unset = 1 - static_cast<double>(fill.bits) / all;
  fill.values = blocks * std::log(std::max(unset, 0.5 / all)) / std::log((kWordBits - 1) / kWordBits);
  return fill;
}

BloomFilter::BrokenBlocks BloomFilter::broken_blocks() const noexcept {
  BrokenBlocks broken;
  for (std::uint64_t i = 0; i < blocks_; ++i) {
    const BloomBlock words = block(i);
    if (is_empty(words)) continue;
    for (unsigned word = 0; word < BloomBlock::kWords; ++word) {
      if (words.words[word] == 0 && broken.words++ == 0) broken.first = {i, word, 0};
    }
  }
  return broken;
}

}  // namespace parqproof
