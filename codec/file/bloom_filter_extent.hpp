#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_reader.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {

/// Max bytes of a Bloom filter header. It takes 15 bytes, more with fields that the specification does not
/// define.
inline constexpr std::uint64_t kMaxBloomFilterHeader = 4096;

/// Size of a Bloom filter according to its header (parquet.thrift#BloomFilterHeader).
struct BloomFilterExtent {
  std::uint64_t header = 0;     ///< bytes of the header, and of the frames of both modules of an encrypted
                                ///< filter; 0 if it cannot be read
  std::uint64_t bitset_at = 0;  ///< bytes before the first bit, from the start of the filter
  std::optional<PageFault> module = std::nullopt;  ///< the header of an encrypted filter cannot be decrypted
  std::optional<std::int32_t> num_bytes = std::nullopt;  ///< numBytes as stored
  std::optional<std::uint64_t> bitset = std::nullopt;    ///< numBytes, unless it is missing or negative
  bool damaged = false;                                  ///< a part of the header cannot be decoded
  bool sound = false;        ///< no fault makes the content of the header ambiguous
  bool faultless = false;    ///< the header has no fault
  bool split_block = false;  ///< algorithm, hash and compression are those of codec/file/bloom_filter.hpp

  /// Bytes of header and bitset; 0 if unknown.
  [[nodiscard]] std::uint64_t length() const noexcept { return bitset ? header + *bitset : 0; }
};

/// Reads the header of the Bloom filter at `offset`, which must end before `end` and have at most
/// kMaxBloomFilterHeader bytes. Its faults go to `judged`.
[[nodiscard]] BloomFilterExtent read_bloom_filter_extent(PageReader& reader, std::uint64_t offset,
                                                         std::uint64_t end, const thrift::Judged& judged);

}  // namespace parqproof
