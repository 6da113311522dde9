#include "codec/page/chunk_extent.hpp"

#include <algorithm>

namespace parqproof {

ChunkStart chunk_start(const ColumnMetaData& meta) noexcept {
  const std::int64_t data = meta.data_page_offset;
  const std::int64_t dictionary =
      meta.has(ColumnMetaData::id_dictionary_page_offset) ? meta.dictionary_page_offset : 0;
  if (dictionary > 0 && (data <= 0 || dictionary < data))
    return {dictionary, "meta_data.dictionary_page_offset"};
  return {data, "meta_data.data_page_offset"};
}

ChunkExtent chunk_extent(std::uint64_t start, std::int64_t total_compressed_size, std::int64_t num_values,
                         std::uint64_t data_end) noexcept {
  const std::uint64_t room = data_end - std::min(start, data_end);
  const auto claimed = static_cast<std::uint64_t>(total_compressed_size);  // huge if negative
  return {start, start + std::min(claimed, room), data_end, num_values};
}

}  // namespace parqproof
