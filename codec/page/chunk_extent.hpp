#pragma once

#include <algorithm>
#include <cstdint>

namespace parqproof {

/// Byte range of the pages of a column chunk, and counts from its metadata.
struct ChunkExtent {
  std::uint64_t start = 0;  ///< offset of its first page
  /// End of its last page according to total_compressed_size; at most data_end.
  std::uint64_t metadata_end = 0;
  std::uint64_t data_end = 0;   ///< upper bound of all pages: the start of the footer, or the end of the file
  std::int64_t num_values = 0;  ///< entries of all its data pages
};

/// Returns the extent of a chunk that begins at `start` < `data_end`. A total_compressed_size that is
/// negative or exceeds `data_end` is replaced by all bytes up to `data_end`.
[[nodiscard]] inline ChunkExtent chunk_extent(std::uint64_t start, std::int64_t total_compressed_size,
                                              std::int64_t num_values, std::uint64_t data_end) noexcept {
  const std::uint64_t room = data_end - std::min(start, data_end);
  const auto size = static_cast<std::uint64_t>(total_compressed_size);  // huge if negative
  return {start, start + std::min(size, room), data_end, num_values};
}

}  // namespace parqproof
