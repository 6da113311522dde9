#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_reader.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {

/// A bloom filter header takes 15 bytes; fields that the specification does not know may make it longer.
inline constexpr std::uint64_t kMaxBloomFilterHeader = 4096;

/// How many bytes a bloom filter takes, as its header says (parquet.thrift#BloomFilterHeader).
struct BloomFilterExtent {
  std::uint64_t header = 0;                              ///< bytes of the header; 0 where it cannot be read
  std::optional<std::int32_t> num_bytes = std::nullopt;  ///< as it is stated
  std::optional<std::uint64_t> bitset = std::nullopt;    ///< numBytes, unless it is missing or negative
  bool damaged = false;                                  ///< a part of the header cannot be decoded
  bool sound = false;                                    ///< no fault leaves in doubt what the header says
  bool faultless = false;                                ///< it has none at all
  bool split_block = false;  ///< algorithm, hash and compression are those of codec/file/bloom_filter.hpp

  /// Bytes of both; 0 where they are not known.
  [[nodiscard]] std::uint64_t length() const noexcept { return bitset ? header + *bitset : 0; }
};

/// Reads the header of the bloom filter at `offset`, which ends before `end` and has no more than
/// kMaxBloomFilterHeader bytes. Its faults go to `judged`.
[[nodiscard]] BloomFilterExtent read_bloom_filter_extent(PageReader& reader, std::uint64_t offset,
                                                         std::uint64_t end, const thrift::Judged& judged);

}  // namespace parqproof
