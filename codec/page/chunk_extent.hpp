#pragma once

#include <cstdint>
#include <string_view>

#include "codec/format/column_chunk.hpp"

namespace parqproof {

/// Where the first page of a column chunk begins, as its metadata says (parquet.thrift#ColumnMetaData).
struct ChunkStart {
  std::int64_t offset = 0;  ///< the smaller of dictionary_page_offset and data_page_offset, if both are set
  std::string_view field;   ///< which of the two it is, as a path in the ColumnChunk
};
[[nodiscard]] ChunkStart chunk_start(const ColumnMetaData& meta) noexcept;

/// Bytes in which the pages of a column chunk are looked for, and what its metadata claims of them.
struct ChunkExtent {
  std::uint64_t start = 0;        ///< of its first page
  std::uint64_t claimed_end = 0;  ///< behind its last page by total_compressed_size; at most data_end
  std::uint64_t data_end = 0;     ///< no page reaches beyond: where the footer begins, or the file ends
  std::int64_t num_values = 0;    ///< entries of all its data pages
};

/// The extent of a chunk that begins at `start`, below `data_end`. A total_compressed_size that leads behind
/// `data_end`, or is negative, leaves all bytes up to there.
[[nodiscard]] ChunkExtent chunk_extent(std::uint64_t start, std::int64_t total_compressed_size,
                                       std::int64_t num_values, std::uint64_t data_end) noexcept;

}  // namespace parqproof
