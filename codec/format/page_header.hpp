#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/empty_structs.hpp"
#include "codec/format/enums.hpp"
#include "codec/format/statistics.hpp"
#include "codec/thrift/table.hpp"

/// The header before each page: parquet.thrift#PageHeader.
namespace parqproof {

/// Header of a v1 data page (parquet.thrift#DataPageHeader).
struct DataPageHeader {
  enum Id : int {
    id_num_values = 1,
    id_encoding = 2,
    id_definition_level_encoding = 3,
    id_repetition_level_encoding = 4,
    id_statistics = 5,
  };

  thrift::Presences fields;
  std::int32_t num_values = 0;
  Encoding encoding{};
  Encoding definition_level_encoding{};
  Encoding repetition_level_encoding{};
  Statistics statistics;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Header of a dictionary page (parquet.thrift#DictionaryPageHeader).
struct DictionaryPageHeader {
  enum Id : int {
    id_num_values = 1,
    id_encoding = 2,
    id_is_sorted = 3,
  };

  thrift::Presences fields;
  std::int32_t num_values = 0;
  Encoding encoding{};
  bool is_sorted = false;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Header of a v2 data page (parquet.thrift#DataPageHeaderV2).
struct DataPageHeaderV2 {
  enum Id : int {
    id_num_values = 1,
    id_num_nulls = 2,
    id_num_rows = 3,
    id_encoding = 4,
    id_definition_levels_byte_length = 5,
    id_repetition_levels_byte_length = 6,
    id_is_compressed = 7,
    id_statistics = 8,
  };

  thrift::Presences fields;
  std::int32_t num_values = 0;
  std::int32_t num_nulls = 0;
  std::int32_t num_rows = 0;
  Encoding encoding{};
  std::int32_t definition_levels_byte_length = 0;
  std::int32_t repetition_levels_byte_length = 0;
  bool is_compressed = true;
  Statistics statistics;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Type and sizes of a page, with the header of its type (parquet.thrift#PageHeader).
struct PageHeader {
  enum Id : int {
    id_type = 1,
    id_uncompressed_page_size = 2,
    id_compressed_page_size = 3,
    id_crc = 4,
    id_data_page_header = 5,
    id_index_page_header = 6,
    id_dictionary_page_header = 7,
    id_data_page_header_v2 = 8,
  };

  thrift::Presences fields;
  PageType type{};
  std::int32_t uncompressed_page_size = 0;
  std::int32_t compressed_page_size = 0;
  std::int32_t crc = 0;
  DataPageHeader data_page_header;
  EmptyStruct index_page_header;
  DictionaryPageHeader dictionary_page_header;
  DataPageHeaderV2 data_page_header_v2;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
