#include "codec/write/index/bloom_filter_builder.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "codec/file/bloom_filter.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "codec/thrift/emitter.hpp"

namespace parqproof {

BloomFilterBuilder::BloomFilterBuilder(std::uint32_t max_bytes)
    : max_bytes_(std::bit_floor(std::max(max_bytes, std::uint32_t{BloomBlock::kBytes}))) {}

void BloomFilterBuilder::insert(std::span<const std::uint8_t> value) {
  const std::uint64_t hash = bloom_hash(value);
  if (!bitset_.empty()) return bloom_insert(bitset_, hash);
  hashes_.push_back(hash);
  if (hashes_.size() * sizeof(hash) >= max_bytes_) spread(max_bytes_);
}

void BloomFilterBuilder::insert(const ValueBatch& batch, std::uint32_t width) {
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    if (batch.form == ValueBatch::Form::fixed) {
      insert({batch.fixed + i * width, width});
    } else {
      insert({batch.byte_arrays[i].data, batch.byte_arrays[i].size});
    }
  }
}

/// The filter of half the size with the same values: a hash selects block i / 2 of it if it selects block i
/// of this one.
std::vector<std::uint8_t> BloomFilterBuilder::folded() const {
  std::vector<std::uint8_t> half(bitset_.size() / 2);
  const std::uint8_t* from = bitset_.data();
  for (std::size_t block = 0; block < half.size();
       block += BloomBlock::kBytes, from += 2 * BloomBlock::kBytes) {
    for (std::size_t i = 0; i < BloomBlock::kBytes; ++i)
      half[block + i] = from[i] | from[BloomBlock::kBytes + i];
  }
  return half;
}

void BloomFilterBuilder::spread(std::size_t bytes) {
  bitset_.assign(bytes, 0);
  for (const std::uint64_t hash : hashes_) bloom_insert(bitset_, hash);
}

std::size_t BloomFilterBuilder::emit(double false_positives, std::vector<std::uint8_t>& out) {
  if (bitset_.empty()) {
    // One block for each value: few filters need more.
    std::size_t bytes = std::clamp(std::bit_ceil(hashes_.size()) * BloomBlock::kBytes,
                                   std::size_t{BloomBlock::kBytes}, max_bytes_);
    for (spread(bytes); bytes < max_bytes_ && BloomFilter(bitset_).fill().false_positives > false_positives;)
      spread(bytes *= 2);
  }
  while (bitset_.size() > BloomBlock::kBytes) {
    std::vector<std::uint8_t> half = folded();
    if (BloomFilter(half).fill().false_positives > false_positives) break;
    bitset_ = std::move(half);
  }
  BloomFilterHeader header;
  thrift::set(header, BloomFilterHeader::id_numBytes, BloomFilterHeader::id_algorithm,
              BloomFilterHeader::id_hash, BloomFilterHeader::id_compression);
  header.numBytes = static_cast<std::int32_t>(bitset_.size());
  thrift::set(header.algorithm, BloomFilterAlgorithm::id_BLOCK);
  thrift::set(header.hash, BloomFilterHash::id_XXHASH);
  thrift::set(header.compression, BloomFilterCompression::id_UNCOMPRESSED);
  const std::size_t start = out.size();
  thrift::emit(header, out);
  const std::size_t header_bytes = out.size() - start;
  out.insert(out.end(), bitset_.begin(), bitset_.end());
  return header_bytes;
}

}  // namespace parqproof
