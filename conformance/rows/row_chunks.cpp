#include "conformance/rows/row_chunks.hpp"

#include <string_view>
#include <utility>

#include "codec/compression/decompress.hpp"
#include "codec/file/chunk_extent.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

bool RowChunks::find(const std::vector<ColumnChunk>& chunks, const std::vector<std::size_t>& leaves,
                     std::uint32_t row_group) {
  chunks_.clear();
  for (std::size_t i = 0; i < chunks.size() && i < leaves.size(); ++i) {
    const Place place{static_cast<std::int32_t>(row_group), static_cast<std::int32_t>(leaves[i]), -1};
    if (!find(chunks[i], place)) return false;
  }
  return true;
}

bool RowChunks::fault(const ColumnChunk& chunk, const Place& place, Rule rule, std::string_view field,
                      Contrast what) {
  failure_.judge().field(rule, place, footer_.bytes_from(chunk.fields.offset), ColumnChunk::kType, field,
                         std::move(what));
  return false;
}

bool RowChunks::find(const ColumnChunk& chunk, const Place& place) {
  using Id = ColumnMetaData::Id;
  const ColumnMetaData& meta = chunk.meta_data;
  const Node& leaf = footer_.schema().leaf(static_cast<std::size_t>(place.leaf));
  const auto refuse = [&](Rule rule, std::string_view field, Contrast what) {
    return fault(chunk, place, rule, field, std::move(what));
  };
  if (chunk.fields.mentions(ColumnChunk::id_crypto_metadata))
    return refuse(Rule::file_encrypted_column, "crypto_metadata", contrast("encrypted", "plain"));
  if (!chunk.fields.mentions(ColumnChunk::id_meta_data))
    return refuse(Rule::column_chunk_meta_data, "meta_data", contrast("absent", "ColumnMetaData"));
  for (const Id id : {Id::id_num_values, Id::id_total_compressed_size, Id::id_data_page_offset, Id::id_codec,
                      Id::id_type}) {
    if (!meta.has(id)) return footer_.lacks(chunk.fields.offset, chunk.fields.end, "the column metadata");
  }
  if (meta.type != leaf.type) {
    return refuse(Rule::column_chunk_type, "meta_data.type",
                  contrast(kTypeEnum.name_of(static_cast<int>(meta.type)),
                           kTypeEnum.name_of(static_cast<int>(leaf.type))));
  }
  if (meta.num_values < 0)
    return refuse(Rule::column_chunk_sizes_negative, "meta_data.num_values",
                  contrast(meta.num_values, "0 or more"));
  if (meta.total_compressed_size < 0)
    return refuse(Rule::column_chunk_sizes_negative, "meta_data.total_compressed_size",
                  contrast(meta.total_compressed_size, "0 or more"));
  if (!can_decompress(meta.codec))
    return footer_.lacks(chunk.fields.offset, chunk.fields.end, "a known codec");
  RowChunk found;
  found.metadata = footer_.bytes_from(chunk.fields.offset);
  found.stored.row_group = static_cast<std::uint32_t>(place.row_group);
  found.stored.codec = meta.codec;
  found.stored.source = &source_;
  if (!in_named_file(chunk, place, found)) return false;
  if (meta.num_values != 0 && !extent(chunk, place, found.stored)) return false;
  chunks_.push_back(std::move(found));
  return true;
}

/// Finds the file that holds the chunk, where that is another one.
bool RowChunks::in_named_file(const ColumnChunk& chunk, const Place& place, RowChunk& found) {
  if (!chunk.has(ColumnChunk::id_file_path) || chunk.file_path.empty()) return true;
  const std::string group =
      "the data of row group " + std::to_string(place.row_group) + " is in another file";
  if (folder_ == nullptr) {
    failure_.words(group);
    return false;
  }
  const std::string path = normal_path(text_of(chunk.file_path));
  if (path == folder_->own_name()) return true;
  std::string why;
  found.stored.source = folder_->share(path, why);
  found.file = folder_->beside(path);
  if (found.stored.source == nullptr) failure_.words(group + ", " + found.file + ": " + why);
  return found.stored.source != nullptr;
}

/// Finds the bytes of the chunk in its file.
bool RowChunks::extent(const ColumnChunk& chunk, const Place& place, StoredChunk& stored) {
  const ChunkStart start = chunk_start(chunk.meta_data);
  const bool here = stored.source == &source_;
  const auto begin = static_cast<std::int64_t>(here ? kMagicBytes : 0);
  const auto end = static_cast<std::int64_t>(here ? footer_.offset() : stored.source->size());
  if (start.offset < begin || start.offset >= end) {
    return fault(chunk, place, Rule::file_region_inside, start.field,
                 contrast(start.offset, std::to_string(begin) + " to " + std::to_string(end - 1)));
  }
  stored.extent =
      chunk_extent(static_cast<std::uint64_t>(start.offset), chunk.meta_data.total_compressed_size,
                   chunk.meta_data.num_values, static_cast<std::uint64_t>(end));
  return true;
}

}  // namespace parqproof
