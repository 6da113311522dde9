#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/enums.hpp"
#include "codec/thrift/table.hpp"

/// Offsets and statistics of the pages of a chunk: parquet.thrift#OffsetIndex, parquet.thrift#ColumnIndex.
namespace parqproof {

/// Offset, size and first row of a page (parquet.thrift#PageLocation).
struct PageLocation {
  enum Id : int {
    id_offset = 1,
    id_compressed_page_size = 2,
    id_first_row_index = 3,
  };

  thrift::Presences fields;
  std::int64_t offset = 0;
  std::int32_t compressed_page_size = 0;
  std::int64_t first_row_index = 0;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Locations of the data pages of a column chunk (parquet.thrift#OffsetIndex).
struct OffsetIndex {
  enum Id : int {
    id_page_locations = 1,
    id_unencoded_byte_array_data_bytes = 2,
  };

  thrift::Presences fields;
  thrift::List page_locations;                   ///< of PageLocation
  thrift::List unencoded_byte_array_data_bytes;  ///< of int64

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Statistics of the data pages of a column chunk (parquet.thrift#ColumnIndex).
struct ColumnIndex {
  enum Id : int {
    id_null_pages = 1,
    id_min_values = 2,
    id_max_values = 3,
    id_boundary_order = 4,
    id_null_counts = 5,
    id_repetition_level_histograms = 6,
    id_definition_level_histograms = 7,
    id_nan_counts = 8,
  };

  thrift::Presences fields;
  thrift::List null_pages;  ///< of bool
  thrift::List min_values;  ///< of binary
  thrift::List max_values;  ///< of binary
  BoundaryOrder boundary_order{};
  thrift::List null_counts;                  ///< of int64
  thrift::List repetition_level_histograms;  ///< of int64
  thrift::List definition_level_histograms;  ///< of int64
  thrift::List nan_counts;                   ///< of int64

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
