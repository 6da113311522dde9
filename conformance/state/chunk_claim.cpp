#include "conformance/state/chunk_claim.hpp"

#include <algorithm>
#include <cstring>

#include "codec/thrift/reader.hpp"
#include "conformance/state/sealed_chunk.hpp"

namespace parqproof {
bool is_complete(const ColumnMetaData& meta) {
  using Id = ColumnMetaData::Id;
  const bool all_there = meta.has(Id::id_num_values) && meta.has(Id::id_total_compressed_size) &&
                         meta.has(Id::id_data_page_offset) && meta.has(Id::id_codec);
  return all_there && meta.num_values >= 0 && meta.total_compressed_size >= 0;
}

ChunkState state_of(const ParsedFooter& footer, const ColumnChunk& chunk, std::uint32_t leaf) {
  // A chunk without file_offset is truncated: its other missing fields are the same fault.
  const bool misread = chunk.fields.misread || !chunk.fields.mentions(ColumnChunk::id_file_offset);
  if (misread && !chunk.has(ColumnChunk::id_meta_data)) return ChunkState::unreadable_metadata;
  if (is_sealed(chunk)) return ChunkState::encrypted;
  if (!chunk.fields.mentions(ColumnChunk::id_meta_data)) return ChunkState::without_metadata;
  if (!chunk.has(ColumnChunk::id_meta_data)) return ChunkState::unreadable_metadata;
  if (!footer.schema_usable || leaf >= footer.schema.leaf_count()) return ChunkState::unknown_column;
  if (footer.schema.leaf(leaf).damaged) return ChunkState::damaged_type;
  if (!footer.schema.leaf(leaf).readable) return ChunkState::unknown_type;
  return is_complete(chunk.meta_data) ? ChunkState::usable : ChunkState::incomplete;
}

bool is_visible(const ParsedFooter& footer, const ColumnChunk& chunk, ChunkState state, std::uint32_t leaf) {
  return state == ChunkState::encrypted && chunk.has(ColumnChunk::id_meta_data) && footer.schema_usable &&
         leaf < footer.schema.leaf_count();
}

bool is_path_of(const ColumnMetaData& meta, const Node& leaf) {
  if (!meta.has(ColumnMetaData::id_path_in_schema)) return true;
  const View& names = meta.path_in_schema.bytes;
  const std::size_t size = leaf.name.size();
  if (leaf.depth == 1 && size != 0 && size < 0x80 && meta.path_in_schema.count == 1 &&
      names.size() == size + 1 && names.data()[0] == size &&
      std::memcmp(names.data() + 1, leaf.name.data(), size) == 0) {
    return true;  // same result as the hash, but faster: one name, with its length in one byte
  }
  std::uint64_t hash = 0;
  thrift::for_each_string(meta.path_in_schema,
                          [&](View name, std::uint32_t) { hash = Schema::hash(hash, name); });
  return hash == leaf.path_hash;
}

ChunkClaim claim_of(const ColumnChunk& chunk, ChunkState state, std::uint32_t row_group, std::uint32_t leaf) {
  ChunkClaim claim;
  claim.struct_offset = chunk.fields.offset;
  claim.row_group = row_group;
  claim.leaf = leaf;
  if (!has_metadata(state)) return claim;
  const ColumnMetaData& meta = chunk.meta_data;
  claim.has_statistics = has_leaf(state) && meta.has(ColumnMetaData::id_statistics);
  claim.has_num_values = meta.has(ColumnMetaData::id_num_values);
  claim.num_values = meta.num_values;
  claim.compressed = meta.total_compressed_size;
  claim.uncompressed =
      meta.has(ColumnMetaData::id_total_uncompressed_size) ? meta.total_uncompressed_size : -1;
  return claim;
}

std::optional<Contrast> dictionary_after_data(const ColumnMetaData& meta) {
  using Id = ColumnMetaData::Id;
  if (!meta.has(Id::id_dictionary_page_offset) || !meta.has(Id::id_data_page_offset) ||
      meta.dictionary_page_offset < meta.data_page_offset || meta.data_page_offset <= 0 ||
      meta.dictionary_page_offset <= 0 || meta.num_values <= 0) {
    return std::nullopt;
  }
  return contrast(meta.dictionary_page_offset, less_than(meta.data_page_offset));
}

RowGroupClaim claim_of(const RowGroup& group, const Limits& limits) {
  RowGroupClaim claim;
  claim.struct_offset = group.fields.offset;
  claim.has_num_rows = group.has(RowGroup::id_num_rows);
  claim.num_rows = group.num_rows;
  claim.has_total_byte_size = group.has(RowGroup::id_total_byte_size);
  claim.total_byte_size = group.total_byte_size;
  claim.has_total_compressed_size = group.has(RowGroup::id_total_compressed_size);
  claim.total_compressed_size = group.total_compressed_size;
  claim.has_file_offset = group.has(RowGroup::id_file_offset);
  claim.file_offset = group.file_offset;
  claim.has_sorting_columns = group.has(RowGroup::id_sorting_columns);
  if (claim.has_sorting_columns) {
    claim.sorting_columns = group.sorting_columns;
    thrift::for_each<SortingColumn>(group.sorting_columns, limits,
                                    [&](const SortingColumn& column, std::uint32_t i) {
                                      if (i == 0 && column.has(SortingColumn::id_column_idx))
                                        claim.first_sorting_column = column.column_idx;
                                    });
  }
  return claim;
}

}  // namespace parqproof
