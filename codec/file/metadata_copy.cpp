#include "codec/file/metadata_copy.hpp"

#include <algorithm>

#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

/// Returns true if both describe the same chunk: equal paths, and at most one differing number are the
/// evidence.
bool is_about(const ColumnMetaData& copy, const ColumnMetaData& original) {
  const int mismatches = (copy.type == original.type ? 0 : 1) +
                         (copy.num_values == original.num_values ? 0 : 1) +
                         (copy.data_page_offset == original.data_page_offset ? 0 : 1);
  return mismatches <= 1 &&
         std::ranges::equal(copy.path_in_schema.bytes.bytes, original.path_in_schema.bytes.bytes);
}

}  // namespace

std::optional<MetadataCopy> read_metadata_copy(View bytes, const ColumnChunk& chunk, const Limits& limits) {
  const bool named = chunk.file_offset > 0 && static_cast<std::uint64_t>(chunk.file_offset) == bytes.base;
  const auto belongs = [&](const ColumnMetaData& copy) { return named || is_about(copy, chunk.meta_data); };
  MetadataCopy copy;
  thrift::Reader as_metadata(bytes, {}, limits);
  if (as_metadata.read(copy.metadata) && as_metadata.sound() && belongs(copy.metadata)) {
    copy.end = copy.metadata.fields.end;
    return copy;
  }
  ColumnChunk chunk_copy;
  thrift::Reader as_chunk(bytes, {}, limits);
  if (as_chunk.read(chunk_copy) && as_chunk.sound() && chunk_copy.has(ColumnChunk::id_meta_data) &&
      belongs(chunk_copy.meta_data)) {
    return MetadataCopy{chunk_copy.meta_data, chunk_copy.fields.end, true};
  }
  return std::nullopt;
}

}  // namespace parqproof
