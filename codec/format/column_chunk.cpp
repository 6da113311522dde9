#include "codec/format/column_chunk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kKeyValueFields[] = {
    Field{1, "key", string, required, offsetof(KeyValue, key)},
    Field{2, "value", string, optional, offsetof(KeyValue, value)},
};

constexpr Field kPageEncodingStatsFields[] = {
    Field{1, "page_type", enumeration, required, offsetof(PageEncodingStats, page_type)}.of(kPageTypeEnum),
    Field{2, "encoding", enumeration, required, offsetof(PageEncodingStats, encoding)}.of(kEncodingEnum),
    Field{3, "count", i32, required, offsetof(PageEncodingStats, count)},
};

constexpr Field kColumnMetaDataFields[] = {
    Field{1, "type", enumeration, required, offsetof(ColumnMetaData, type)}.of(kTypeEnum),
    Field{2, "encodings", list, required, offsetof(ColumnMetaData, encodings)}.of(kEncodingEnum),
    Field{3, "path_in_schema", list, required, offsetof(ColumnMetaData, path_in_schema)}.of(string),
    Field{4, "codec", enumeration, required, offsetof(ColumnMetaData, codec)}.of(kCompressionCodecEnum),
    Field{5, "num_values", i64, required, offsetof(ColumnMetaData, num_values)},
    Field{6, "total_uncompressed_size", i64, required, offsetof(ColumnMetaData, total_uncompressed_size)},
    Field{7, "total_compressed_size", i64, required, offsetof(ColumnMetaData, total_compressed_size)},
    Field{8, "key_value_metadata", list, optional, offsetof(ColumnMetaData, key_value_metadata)}.of(
        KeyValue::kType),
    Field{9, "data_page_offset", i64, required, offsetof(ColumnMetaData, data_page_offset)},
    Field{10, "index_page_offset", i64, optional, offsetof(ColumnMetaData, index_page_offset)},
    Field{11, "dictionary_page_offset", i64, optional, offsetof(ColumnMetaData, dictionary_page_offset)},
    Field{12, "statistics", structure, optional, offsetof(ColumnMetaData, statistics)}.of(Statistics::kType),
    Field{13, "encoding_stats", list, optional, offsetof(ColumnMetaData, encoding_stats)}.of(
        PageEncodingStats::kType),
    Field{14, "bloom_filter_offset", i64, optional, offsetof(ColumnMetaData, bloom_filter_offset)},
    Field{15, "bloom_filter_length", i32, optional, offsetof(ColumnMetaData, bloom_filter_length)},
    Field{16, "size_statistics", structure, optional, offsetof(ColumnMetaData, size_statistics)}.of(
        SizeStatistics::kType),
    Field{17, "geospatial_statistics", structure, optional, offsetof(ColumnMetaData, geospatial_statistics)}
        .of(GeospatialStatistics::kType),
};

constexpr Field kColumnChunkFields[] = {
    Field{1, "file_path", string, optional, offsetof(ColumnChunk, file_path)},
    Field{2, "file_offset", i64, required, offsetof(ColumnChunk, file_offset)},
    Field{3, "meta_data", structure, optional, offsetof(ColumnChunk, meta_data)}.of(ColumnMetaData::kType),
    Field{4, "offset_index_offset", i64, optional, offsetof(ColumnChunk, offset_index_offset)},
    Field{5, "offset_index_length", i32, optional, offsetof(ColumnChunk, offset_index_length)},
    Field{6, "column_index_offset", i64, optional, offsetof(ColumnChunk, column_index_offset)},
    Field{7, "column_index_length", i32, optional, offsetof(ColumnChunk, column_index_length)},
    Field{8, "crypto_metadata", structure, optional, offsetof(ColumnChunk, crypto_metadata)}.of(
        ColumnCryptoMetaData::kType),
    Field{9, "encrypted_column_metadata", binary, optional, offsetof(ColumnChunk, encrypted_column_metadata)},
};

}  // namespace

constexpr thrift::StructType KeyValue::kType{"KeyValue", kKeyValueFields};
constexpr thrift::StructType PageEncodingStats::kType{"PageEncodingStats", kPageEncodingStatsFields};
constexpr thrift::StructType ColumnMetaData::kType{"ColumnMetaData", kColumnMetaDataFields};
constexpr thrift::StructType ColumnChunk::kType{"ColumnChunk", kColumnChunkFields};

bool lists_defined_encodings(const ColumnMetaData& meta) {
  bool all = meta.has(ColumnMetaData::id_encodings);
  thrift::for_each_integer(meta.encodings, [&](std::int64_t number, std::uint32_t) {
    all = all && !kEncodingEnum.name_of(number).empty();
  });
  return all;
}

bool OpenedMetadata::contains(std::uint64_t offset) const noexcept {
  return std::ranges::binary_search(offsets, offset);
}

View opened_metadata(View encrypted_column_metadata) noexcept {
  constexpr std::size_t kHead = 16;  // the length and the nonce of a module
  constexpr std::size_t kTag = 16;
  if (encrypted_column_metadata.size() < kHead + kTag) return {};
  View inside = encrypted_column_metadata.part(kHead, encrypted_column_metadata.size() - kHead - kTag);
  inside.space = Space::module;
  return inside;
}

void open_metadata(ColumnChunk& chunk, const OpenedMetadata* metadata, const Limits& limits) {
  chunk.opened = false;
  if (metadata == nullptr || !chunk.fields.mentions(ColumnChunk::id_crypto_metadata)) return;
  if (!chunk.has(ColumnChunk::id_encrypted_column_metadata)) {
    chunk.opened = metadata->has_footer_key && chunk.has(ColumnChunk::id_meta_data) &&
                   chunk.crypto_metadata.has(ColumnCryptoMetaData::id_ENCRYPTION_WITH_FOOTER_KEY);
    return;
  }
  if (!metadata->contains(chunk.encrypted_column_metadata.base)) return;
  chunk.opened = true;
  thrift::Reader reader(opened_metadata(chunk.encrypted_column_metadata), {}, limits);
  const bool is_read = reader.read(chunk.meta_data);
  const std::uint32_t bit = 1U << ColumnChunk::id_meta_data;
  chunk.fields.present = is_read ? chunk.fields.present | bit : chunk.fields.present & ~bit;
  chunk.fields.misread = chunk.fields.misread || !is_read;
}

}  // namespace parqproof
