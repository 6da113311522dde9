#pragma once

#include <cstdint>
#include <string_view>

#include "codec/format/column_chunk.hpp"

namespace parqproof {

/// Offset of the first page of a column chunk according to its metadata (parquet.thrift#ColumnMetaData).
struct ChunkStart {
  std::int64_t offset = 0;  ///< the smaller of dictionary_page_offset and data_page_offset, if both are set
  std::string_view field;   ///< path of the field with that offset in the ColumnChunk
};
[[nodiscard]] inline ChunkStart chunk_start(const ColumnMetaData& meta) noexcept {
  const std::int64_t data = meta.data_page_offset;
  const std::int64_t dictionary =
      meta.has(ColumnMetaData::id_dictionary_page_offset) ? meta.dictionary_page_offset : 0;
  if (dictionary > 0 && (data <= 0 || dictionary < data))
    return {dictionary, "meta_data.dictionary_page_offset"};
  return {data, "meta_data.data_page_offset"};
}

}  // namespace parqproof
