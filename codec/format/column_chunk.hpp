#pragma once

#include <cstdint>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/format/encryption.hpp"
#include "codec/format/enums.hpp"
#include "codec/format/statistics.hpp"
#include "codec/thrift/table.hpp"

/// A column chunk and its metadata: parquet.thrift#ColumnChunk.
namespace parqproof {

/// Application-defined metadata, of a column chunk or of the file (parquet.thrift#KeyValue).
struct KeyValue {
  enum Id : int {
    id_key = 1,
    id_value = 2,
  };

  thrift::Presences fields;
  View key;
  View value;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Number of pages of one type in one encoding (parquet.thrift#PageEncodingStats).
struct PageEncodingStats {
  enum Id : int {
    id_page_type = 1,
    id_encoding = 2,
    id_count = 3,
  };

  thrift::Presences fields;
  PageType page_type{};
  Encoding encoding{};
  std::int32_t count = 0;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Types, encodings, sizes, offsets and statistics of a column chunk (parquet.thrift#ColumnMetaData).
struct ColumnMetaData {
  enum Id : int {
    id_type = 1,
    id_encodings = 2,
    id_path_in_schema = 3,
    id_codec = 4,
    id_num_values = 5,
    id_total_uncompressed_size = 6,
    id_total_compressed_size = 7,
    id_key_value_metadata = 8,
    id_data_page_offset = 9,
    id_index_page_offset = 10,
    id_dictionary_page_offset = 11,
    id_statistics = 12,
    id_encoding_stats = 13,
    id_bloom_filter_offset = 14,
    id_bloom_filter_length = 15,
    id_size_statistics = 16,
    id_geospatial_statistics = 17,
  };

  thrift::Presences fields;
  Type type{};
  thrift::List encodings;       ///< of Encoding
  thrift::List path_in_schema;  ///< of string
  CompressionCodec codec{};
  std::int64_t num_values = 0;
  std::int64_t total_uncompressed_size = 0;
  std::int64_t total_compressed_size = 0;
  thrift::List key_value_metadata;  ///< of KeyValue
  std::int64_t data_page_offset = 0;
  std::int64_t index_page_offset = 0;
  std::int64_t dictionary_page_offset = 0;
  Statistics statistics;
  thrift::List encoding_stats;  ///< of PageEncodingStats
  std::int64_t bloom_filter_offset = 0;
  std::int32_t bloom_filter_length = 0;
  SizeStatistics size_statistics;
  GeospatialStatistics geospatial_statistics;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Returns true if the metadata lists encodings, and none of them is undefined.
[[nodiscard]] bool lists_defined_encodings(const ColumnMetaData& meta);

/// Location and metadata of a column chunk (parquet.thrift#ColumnChunk).
struct ColumnChunk {
  enum Id : int {
    id_file_path = 1,
    id_file_offset = 2,
    id_meta_data = 3,
    id_offset_index_offset = 4,
    id_offset_index_length = 5,
    id_column_index_offset = 6,
    id_column_index_length = 7,
    id_crypto_metadata = 8,
    id_encrypted_column_metadata = 9,
  };

  thrift::Presences fields;
  View file_path;
  std::int64_t file_offset = 0;
  ColumnMetaData meta_data;
  std::int64_t offset_index_offset = 0;
  std::int32_t offset_index_length = 0;
  std::int64_t column_index_offset = 0;
  std::int32_t column_index_length = 0;
  ColumnCryptoMetaData crypto_metadata;
  View encrypted_column_metadata;
  /// Not stored: the column is encrypted, and meta_data and pages can be decrypted. See open_metadata().
  bool opened = false;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  /// Returns true if the column is encrypted and cannot be decrypted.
  [[nodiscard]] bool is_locked() const noexcept { return fields.mentions(id_crypto_metadata) && !opened; }
  static const thrift::StructType kType;
};

/// The encrypted metadata of column chunks that was decrypted in the bytes of a footer.
struct OpenedMetadata {
  std::vector<std::uint64_t> offsets;  ///< of the values of encrypted_column_metadata, ascending
  bool has_footer_key = false;         ///< columns with the key of the footer can be decrypted

  [[nodiscard]] bool contains(std::uint64_t offset) const noexcept;
};

/// The ColumnMetaData in the bytes of encrypted_column_metadata, once they were decrypted at their place.
[[nodiscard]] View opened_metadata(View encrypted_column_metadata) noexcept;

/// Completes a chunk that was read: sets `opened`, and reads meta_data from encrypted_column_metadata if that
/// was decrypted. `metadata`: null if nothing was.
void open_metadata(ColumnChunk& chunk, const OpenedMetadata* metadata, const Limits& limits);

}  // namespace parqproof
