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

/// The split block Bloom filter: BloomFilter.md. It answers for a value either "surely not here" or
/// "perhaps".
///
/// A value goes through three steps. Its bytes give a hash of 64 bits: bloom_hash(). The upper half of the
/// hash chooses one block of the bitset: bloom_block(). The lower half chooses a bit in each of the eight
/// words of that block: bloom_mask(). Inserting the value sets these eight bits; a value is found if all are
/// set.
namespace parqproof {

/// XXH64 with seed 0 of the bytes of a value (parquet.thrift#BloomFilterHash): those of PLAIN, a BYTE_ARRAY
/// without its length word. Logical types change nothing.
[[nodiscard]] std::uint64_t bloom_hash(std::span<const std::uint8_t> value) noexcept;

/// Inserts a value by its hash. The bitset is one block or several.
void bloom_insert(std::span<std::uint8_t> bitset, std::uint64_t hash) noexcept;

/// A bitset, which outlives this object: one block or several, less than 2^31 bytes.
class BloomFilter {
 public:
  BloomFilter() = default;
  explicit BloomFilter(std::span<const std::uint8_t> bitset) noexcept
      : bytes_(bitset.data()), blocks_(bitset.size() / BloomBlock::kBytes) {}

  [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }

  /// Whether the filter has all bits of the hash: false means that its value was never inserted.
  [[nodiscard]] bool finds(std::uint64_t hash) const noexcept { return !missing(hash); }

  /// A bit of the filter. Its word begins `4 * word` bytes behind the beginning of its block.
  struct Bit {
    std::uint64_t block = 0;
    unsigned word = 0;
    unsigned bit = 0;
    [[nodiscard]] std::uint64_t word_offset() const noexcept {  ///< in the bitset
      return block * BloomBlock::kBytes + word * sizeof(std::uint32_t);
    }
  };
  /// The first bit of the hash that is not set; nothing where the value is found.
  [[nodiscard]] std::optional<Bit> missing(std::uint64_t hash) const noexcept;

  /// Calls `take(i, hash)` for each value of the batch that is not found. `width`: bytes of a value, 0 for
  /// BYTE_ARRAY. Batches of booleans and of dictionary indices have no values to look for.
  template <typename Take>
  void for_each_missing(const ValueBatch& batch, std::uint32_t width, Take&& take) const;

  /// How full a filter is.
  struct Fill {
    std::uint64_t bits = 0;      ///< that are set
    double false_positives = 0;  ///< the share of values that pass although they were never inserted: 0 to 1
    double values = 0;           ///< how many distinct values leave about so many bits
  };
  [[nodiscard]] Fill fill() const noexcept;

  /// A value sets a bit in each word of its block. Where blocks have words with bits and words without:
  struct BrokenBlocks {
    Bit first;                ///< the first such word without bits
    std::uint64_t words = 0;  ///< how many there are
  };
  [[nodiscard]] BrokenBlocks broken_blocks() const noexcept;

 private:
  /// Hashes that are computed before the first is looked up, so that the blocks are fetched side by side.
  static constexpr std::size_t kAhead = 64;
  using Hashes = std::array<std::uint64_t, kAhead>;
  /// Hashes values [from, from + count) of a batch.
  static void hash(const ValueBatch& batch, std::uint32_t width, std::uint64_t from, std::size_t count,
                   Hashes& out) noexcept;
  /// Which of the values are not found: bit i for value i.
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
