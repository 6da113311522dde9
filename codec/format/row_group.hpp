#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/thrift/table.hpp"

/// A row group: parquet.thrift#RowGroup.
namespace parqproof {

/// A column by which the rows of a row group are sorted (parquet.thrift#SortingColumn).
struct SortingColumn {
  enum Id : int {
    id_column_idx = 1,
    id_descending = 2,
    id_nulls_first = 3,
  };

  thrift::Presences fields;
  std::int32_t column_idx = 0;
  bool descending = false;
  bool nulls_first = false;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Column chunks, sizes and sort order of a row group (parquet.thrift#RowGroup).
struct RowGroup {
  enum Id : int {
    id_columns = 1,
    id_total_byte_size = 2,
    id_num_rows = 3,
    id_sorting_columns = 4,
    id_file_offset = 5,
    id_total_compressed_size = 6,
    id_ordinal = 7,
  };

  thrift::Presences fields;
  thrift::List columns;  ///< of ColumnChunk
  std::int64_t total_byte_size = 0;
  std::int64_t num_rows = 0;
  thrift::List sorting_columns;  ///< of SortingColumn
  std::int64_t file_offset = 0;
  std::int64_t total_compressed_size = 0;
  std::int16_t ordinal = 0;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
