#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/format/file_meta_data.hpp"

namespace parqproof {

/// The copy of its metadata that old layouts put after a column chunk.
struct MetadataCopy {
  ColumnMetaData metadata;
  std::uint64_t end = 0;        ///< file offset after its last byte
  bool complete_chunk = false;  ///< stored as a ColumnChunk, not only as the ColumnMetaData
};

/// Reads the copy of `chunk`'s metadata at the beginning of `bytes`. Returns nullopt if the bytes are
/// something else: unless file_offset refers to them, their path and numbers must match this chunk
/// (parquet.thrift#ColumnChunk.file_offset).
[[nodiscard]] std::optional<MetadataCopy> read_metadata_copy(View bytes, const ColumnChunk& chunk,
                                                             const Limits& limits);

}  // namespace parqproof
