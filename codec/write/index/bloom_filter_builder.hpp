#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"

namespace parqproof {

/// Builds the Bloom filter of one column chunk without knowing the number of its distinct values: hashes are
/// kept until they take as much memory as a bitset of max size, which is folded in the end (BloomFilter.md).
class BloomFilterBuilder {
 public:
  /// `max_bytes`: rounded down to a power of two, at least one block.
  explicit BloomFilterBuilder(std::uint32_t max_bytes);

  /// Inserts the PLAIN bytes of a value, a BYTE_ARRAY without its length prefix.
  void insert(std::span<const std::uint8_t> value);
  /// Inserts the values of a batch of fixed-width values or byte arrays. `width`: fixed_width() of the type.
  void insert(const ValueBatch& batch, std::uint32_t width);

  /// Appends header and bitset. The bitset is as small as `false_positives` allows: the probability that a
  /// value is found that was not inserted.
  std::size_t emit(double false_positives, std::vector<std::uint8_t>& out);

 private:
  [[nodiscard]] std::vector<std::uint8_t> folded() const;
  /// Makes the bitset, of `bytes` bytes, from the hashes.
  void spread(std::size_t bytes);

  std::size_t max_bytes_;
  std::vector<std::uint64_t> hashes_;  ///< used while there is no bitset
  std::vector<std::uint8_t> bitset_;
};

}  // namespace parqproof
