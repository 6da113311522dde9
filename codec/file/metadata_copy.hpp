#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/format/file_meta_data.hpp"

namespace parqproof {

/// The copy of its metadata that old layouts put behind a column chunk.
struct MetadataCopy {
  ColumnMetaData metadata;
  std::uint64_t end = 0;        ///< file offset behind its last byte
  bool complete_chunk = false;  ///< stored as a ColumnChunk, not as the ColumnMetaData alone
};

/// Reads the copy of `chunk`'s metadata that `bytes` begin with. None if these bytes are something else:
/// where file_offset does not name them as the copy, they have to tell of this very chunk
/// (parquet.thrift#ColumnChunk.file_offset).
[[nodiscard]] std::optional<MetadataCopy> read_metadata_copy(View bytes, const ColumnChunk& chunk,
                                                             const Limits& limits);

}  // namespace parqproof
