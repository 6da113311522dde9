#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/encoding/values.hpp"
#include "codec/kernel/bloom_bits.hpp"
#include "codec/kernel/kernels.hpp"

/// The split block Bloom filter: BloomFilter.md. Its answer for a value is either "certainly absent" or
/// "possibly present".
///
/// The steps for a value are: bloom_hash() computes a 64-bit hash of its bytes. The upper half of the hash
/// selects one block of the bitset: bloom_block(). The lower half selects a bit in each of the eight words of
/// that block: bloom_mask(). Inserting the value sets these eight bits; a value is found if all of them are
/// set.
namespace parqproof {

/// Returns XXH64 with seed 0 of the PLAIN bytes of a value, a BYTE_ARRAY without its length prefix
/// (parquet.thrift#BloomFilterHash). Independent of the logical type.
[[nodiscard]] std::uint64_t bloom_hash(std::span<const std::uint8_t> value) noexcept;

/// Inserts a value by its hash. The bitset has one or more blocks.
void bloom_insert(std::span<std::uint8_t> bitset, std::uint64_t hash) noexcept;

/// A view of a bitset of one or more blocks and less than 2^31 bytes. The caller keeps the bytes alive.
class BloomFilter {
 public:
  BloomFilter() = default;
  explicit BloomFilter(std::span<const std::uint8_t> bitset) noexcept
      : bytes_(bitset.data()), blocks_(bitset.size() / BloomBlock::kBytes) {}

  [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }

  /// Returns true if the filter has all bits of the hash; false means that the value was never inserted.
  [[nodiscard]] bool finds(std::uint64_t hash) const noexcept { return !missing(hash); }

  /// A bit of the filter. Its word is at byte `4 * word` of its block.
  struct Bit {
    std::uint64_t block = 0;
    unsigned word = 0;
    unsigned bit = 0;
    [[nodiscard]] std::uint64_t word_offset() const noexcept {  ///< offset of the word in the bitset
      return block * BloomBlock::kBytes + word * sizeof(std::uint32_t);
    }
  };
  /// Returns the first bit of the hash that is not set; nullopt if the value is found.
  [[nodiscard]] std::optional<Bit> missing(std::uint64_t hash) const noexcept;

  /// Calls `take(i, hash)` for each value of the batch that is not found. `width`: bytes of a value, 0 for
  /// BYTE_ARRAY. Batches of booleans and of dictionary indices have no values to look up.
  template <typename Take>
  void for_each_missing(const ValueBatch& batch, std::uint32_t width, Take&& take) const;

  /// Fill level of a filter.
  struct Fill {
    std::uint64_t bits = 0;  ///< bits that are set
    /// Probability from 0 to 1 that a value is found although it was not inserted.
    double false_positives = 0;
    double values = 0;  ///< estimated number of distinct values
  };
  [[nodiscard]] Fill fill() const noexcept;

  /// Blocks in which some words have bits and others have none, although each value sets a bit in each word.
  struct BrokenBlocks {
    Bit first;                ///< the first such word without bits
    std::uint64_t words = 0;  ///< number of such words
  };
  [[nodiscard]] BrokenBlocks broken_blocks() const noexcept;

 private:
  /// Hashes computed before the first lookup, so that several blocks are loaded at once.
  static constexpr std::size_t kAhead = 64;
  using Hashes = std::array<std::uint64_t, kAhead>;
  /// Hashes values [from, from + count) of a batch.
  static void hash(const ValueBatch& batch, std::uint32_t width, std::uint64_t from, std::size_t count,
                   Hashes& out) noexcept;
  /// Returns which values are not found: bit i for value i.
  [[nodiscard]] std::uint64_t missing_of(const Hashes& hashes, std::size_t count) const noexcept {
    return kernels().bloom.missing(bytes_, blocks_, hashes.data(), count);
  }
  [[nodiscard]] BloomBlock block(std::uint64_t index) const noexcept;

  const std::uint8_t* bytes_ = nullptr;
  std::uint64_t blocks_ = 0;
};

template <typename Take>
void BloomFilter::for_each_missing(const ValueBatch& batch, std::uint32_t width, Take&& take) const {
  if (batch.form != ValueBatch::Form::fixed && batch.form != ValueBatch::Form::byte_arrays) return;
  Hashes hashes;
  for (std::uint64_t from = 0; from < batch.count; from += kAhead) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kAhead, batch.count - from));
    hash(batch, width, from, count, hashes);
    for (std::uint64_t left = missing_of(hashes, count); left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      take(from + i, hashes[i]);
    }
  }
}

}  // namespace parqproof
