#include "conformance/state/chunk_claim.hpp"

#include <catch2/catch_test_macros.hpp>

#include "codec/format/chunk_start.hpp"
#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using support::set;

template <typename Struct, typename Id>
void unset(Struct& out, Id id) {
  out.fields.present &= ~(1U << id);
}

/// A chunk of 5 values in 70 bytes, from byte 4 on.
ColumnChunk sound_chunk() {
  using Id = ColumnMetaData::Id;
  ColumnChunk chunk;
  set(chunk, {ColumnChunk::id_file_offset, ColumnChunk::id_meta_data});
  chunk.fields.offset = 100;
  ColumnMetaData& meta = chunk.meta_data;
  set(meta, {Id::id_num_values, Id::id_total_compressed_size, Id::id_total_uncompressed_size,
             Id::id_data_page_offset, Id::id_codec, Id::id_statistics});
  meta.num_values = 5;
  meta.total_compressed_size = 70;
  meta.total_uncompressed_size = 90;
  meta.data_page_offset = 4;
  return chunk;
}

/// A file with one column: INT32, or of an unknown type.
struct OneColumn {
  explicit OneColumn(Type type = Type::INT32) {
    SchemaElement root;
    set(root, {SchemaElement::id_name, SchemaElement::id_num_children});
    root.num_children = 1;
    footer.schema.add(root);
    SchemaElement leaf;
    set(leaf, {SchemaElement::id_name, SchemaElement::id_type, SchemaElement::id_repetition_type});
    leaf.type = type;
    footer.schema.add(leaf);
    footer.schema.finish();
    footer.schema_usable = true;
  }

  ParsedFooter footer;
};

TEST_CASE("the reason why a chunk is unreadable comes from its metadata and the schema", "[unit]") {
  const OneColumn file;
  ColumnChunk chunk = sound_chunk();
  CHECK(state_of(file.footer, chunk, 0) == ChunkState::usable);
  CHECK(state_of(file.footer, chunk, 1) == ChunkState::unknown_column);
  CHECK(state_of(OneColumn(static_cast<Type>(99)).footer, chunk, 0) == ChunkState::unknown_type);
  OneColumn without_schema;
  without_schema.footer.schema_usable = false;
  CHECK(state_of(without_schema.footer, chunk, 0) == ChunkState::unknown_column);

  chunk.fields.faulty = 1U << ColumnChunk::id_meta_data;
  unset(chunk, ColumnChunk::id_meta_data);
  CHECK(state_of(file.footer, chunk, 0) == ChunkState::unreadable_metadata);
  chunk.fields.faulty = 0;
  CHECK(state_of(file.footer, chunk, 0) == ChunkState::without_metadata);
  set(chunk, {ColumnChunk::id_file_offset, ColumnChunk::id_meta_data, ColumnChunk::id_crypto_metadata});
  CHECK(state_of(file.footer, chunk, 0) == ChunkState::encrypted);
}

TEST_CASE("pages are found and read by four fields, and never by a negative size", "[unit]") {
  using Id = ColumnMetaData::Id;
  const OneColumn file;
  for (const Id id :
       {Id::id_num_values, Id::id_total_compressed_size, Id::id_data_page_offset, Id::id_codec}) {
    ColumnChunk chunk = sound_chunk();
    unset(chunk.meta_data, id);
    CHECK(state_of(file.footer, chunk, 0) == ChunkState::incomplete);
  }
  for (std::int64_t ColumnMetaData::* const size :
       {&ColumnMetaData::num_values, &ColumnMetaData::total_compressed_size}) {
    ColumnChunk chunk = sound_chunk();
    chunk.meta_data.*size = -1;
    CHECK(state_of(file.footer, chunk, 0) == ChunkState::incomplete);
  }
  ColumnChunk chunk = sound_chunk();
  unset(chunk.meta_data, Id::id_total_uncompressed_size);
  CHECK(state_of(file.footer, chunk, 0) == ChunkState::usable);
}

TEST_CASE("a claim has the numbers of readable metadata", "[unit]") {
  const ChunkClaim claim = claim_of(sound_chunk(), ChunkState::usable, 2, 3);
  CHECK(claim.struct_offset == 100);
  CHECK(claim.row_group == 2);
  CHECK(claim.leaf == 3);
  CHECK(claim.has_num_values);
  CHECK(claim.num_values == 5);
  CHECK(claim.compressed == 70);
  CHECK(claim.uncompressed == 90);
  CHECK(claim.has_statistics);
  CHECK_FALSE(claim.readable);  // where its pages are is not known yet
}

TEST_CASE("encrypted metadata claims nothing, whatever is stored in addition", "[unit]") {
  for (const ChunkState state :
       {ChunkState::encrypted, ChunkState::without_metadata, ChunkState::unreadable_metadata}) {
    const ChunkClaim claim = claim_of(sound_chunk(), state, 0, 0);
    CHECK(claim.struct_offset == 100);
    CHECK_FALSE(claim.has_num_values);
    CHECK(claim.num_values == 0);
    CHECK(claim.compressed == 0);
    CHECK_FALSE(claim.has_statistics);
  }
  // Statistics have no meaning without a leaf.
  CHECK_FALSE(claim_of(sound_chunk(), ChunkState::unknown_type, 0, 0).has_statistics);
  CHECK(claim_of(sound_chunk(), ChunkState::unknown_type, 0, 0).num_values == 5);
  CHECK(claim_of(sound_chunk(), ChunkState::incomplete, 0, 0).has_statistics);
}

TEST_CASE("the first page is the dictionary page, if it is before the data pages", "[unit]") {
  struct Case {
    std::int64_t dictionary, data, first;
    bool is_dictionary;
  };
  for (const Case& one :
       {Case{4, 50, 4, true}, Case{60, 50, 50, false}, Case{50, 50, 50, false}, Case{0, 50, 50, false},
        Case{-8, 50, 50, false}, Case{4, 0, 4, true}, Case{0, 0, 0, false}}) {
    ColumnMetaData meta = sound_chunk().meta_data;
    meta.data_page_offset = one.data;
    meta.dictionary_page_offset = one.dictionary;
    set(meta, {ColumnMetaData::id_dictionary_page_offset});
    const ChunkStart first = chunk_start(meta);
    CHECK(first.offset == one.first);
    CHECK((first.field == "meta_data.dictionary_page_offset") == one.is_dictionary);
    unset(meta, ColumnMetaData::id_dictionary_page_offset);
    CHECK(chunk_start(meta).offset == one.data);
  }
}

TEST_CASE("a row group claims the numbers that it states", "[unit]") {
  RowGroup group;
  group.fields.offset = 30;
  group.num_rows = 7;
  set(group, {RowGroup::id_num_rows});
  const RowGroupClaim claim = claim_of(group, Limits());
  CHECK(claim.struct_offset == 30);
  CHECK(claim.has_num_rows);
  CHECK(claim.num_rows == 7);
  CHECK_FALSE(claim.has_total_byte_size);
  CHECK_FALSE(claim.has_total_compressed_size);
  CHECK_FALSE(claim.has_file_offset);
  CHECK_FALSE(claim.first_sorting_column);
  CHECK_FALSE(claim.complete);
}

}  // namespace
}  // namespace parqproof
