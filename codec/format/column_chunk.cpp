#include "codec/format/column_chunk.hpp"

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

}  // namespace parqproof
