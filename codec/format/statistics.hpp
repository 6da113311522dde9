#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/thrift/table.hpp"

/// Statistics of values and of sizes: parquet.thrift#Statistics, parquet.thrift#SizeStatistics.
namespace parqproof {

/// Min, max and counts of the values of a column chunk or page (parquet.thrift#Statistics).
struct Statistics {
  enum Id : int {
    id_max = 1,
    id_min = 2,
    id_null_count = 3,
    id_distinct_count = 4,
    id_max_value = 5,
    id_min_value = 6,
    id_is_max_value_exact = 7,
    id_is_min_value_exact = 8,
    id_nan_count = 9,
  };

  thrift::Presences fields;
  View max;
  View min;
  std::int64_t null_count = 0;
  std::int64_t distinct_count = 0;
  View max_value;
  View min_value;
  bool is_max_value_exact = false;
  bool is_min_value_exact = false;
  std::int64_t nan_count = 0;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Sizes and level histograms of a column chunk or page (parquet.thrift#SizeStatistics).
struct SizeStatistics {
  enum Id : int {
    id_unencoded_byte_array_data_bytes = 1,
    id_repetition_level_histogram = 2,
    id_definition_level_histogram = 3,
  };

  thrift::Presences fields;
  std::int64_t unencoded_byte_array_data_bytes = 0;
  thrift::List repetition_level_histogram;  ///< of int64
  thrift::List definition_level_histogram;  ///< of int64

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Bounds of geospatial values (parquet.thrift#BoundingBox).
struct BoundingBox {
  enum Id : int {
    id_xmin = 1,
    id_xmax = 2,
    id_ymin = 3,
    id_ymax = 4,
    id_zmin = 5,
    id_zmax = 6,
    id_mmin = 7,
    id_mmax = 8,
  };

  thrift::Presences fields;
  double xmin = 0;
  double xmax = 0;
  double ymin = 0;
  double ymax = 0;
  double zmin = 0;
  double zmax = 0;
  double mmin = 0;
  double mmax = 0;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Bounds and types of geospatial values of a column chunk (parquet.thrift#GeospatialStatistics).
struct GeospatialStatistics {
  enum Id : int {
    id_bbox = 1,
    id_geospatial_types = 2,
  };

  thrift::Presences fields;
  BoundingBox bbox;
  thrift::List geospatial_types;  ///< of int32

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
