#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/empty_structs.hpp"
#include "codec/format/enums.hpp"
#include "codec/thrift/table.hpp"

/// Meaning of the values of a node: parquet.thrift#LogicalType.
namespace parqproof {

/// Decimal numbers: unscaled integers with a scale (parquet.thrift#DecimalType).
struct DecimalType {
  enum Id : int {
    id_scale = 1,
    id_precision = 2,
  };

  thrift::Presences fields;
  std::int32_t scale = 0;
  std::int32_t precision = 0;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// A union: exactly one member is set.
struct TimeUnit {
  enum Id : int {
    id_MILLIS = 1,
    id_MICROS = 2,
    id_NANOS = 3,
  };

  thrift::Presences fields;
  EmptyStruct MILLIS;
  EmptyStruct MICROS;
  EmptyStruct NANOS;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Points in time (parquet.thrift#TimestampType).
struct TimestampType {
  enum Id : int {
    id_isAdjustedToUTC = 1,
    id_unit = 2,
  };

  thrift::Presences fields;
  bool isAdjustedToUTC = false;
  TimeUnit unit;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Times of day (parquet.thrift#TimeType).
struct TimeType {
  enum Id : int {
    id_isAdjustedToUTC = 1,
    id_unit = 2,
  };

  thrift::Presences fields;
  bool isAdjustedToUTC = false;
  TimeUnit unit;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Integers of 8, 16, 32 or 64 bits (parquet.thrift#IntType).
struct IntType {
  enum Id : int {
    id_bitWidth = 1,
    id_isSigned = 2,
  };

  thrift::Presences fields;
  std::int8_t bitWidth = 0;
  bool isSigned = false;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Variant values (VariantEncoding.md) (parquet.thrift#VariantType).
struct VariantType {
  enum Id : int {
    id_specification_version = 1,
  };

  thrift::Presences fields;
  std::int8_t specification_version = 0;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Geospatial features with straight edges (parquet.thrift#GeometryType).
struct GeometryType {
  enum Id : int {
    id_crs = 1,
  };

  thrift::Presences fields;
  View crs;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Geospatial features on an ellipsoid (parquet.thrift#GeographyType).
struct GeographyType {
  enum Id : int {
    id_crs = 1,
    id_algorithm = 2,
  };

  thrift::Presences fields;
  View crs;
  EdgeInterpolationAlgorithm algorithm{};

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// A union: exactly one member is set.
struct LogicalType {
  enum Id : int {
    id_STRING = 1,
    id_MAP = 2,
    id_LIST = 3,
    id_ENUM = 4,
    id_DECIMAL = 5,
    id_DATE = 6,
    id_TIME = 7,
    id_TIMESTAMP = 8,
    id_INTEGER = 10,
    id_UNKNOWN = 11,
    id_JSON = 12,
    id_BSON = 13,
    id_UUID = 14,
    id_FLOAT16 = 15,
    id_VARIANT = 16,
    id_GEOMETRY = 17,
    id_GEOGRAPHY = 18,
    id_FILE = 19,
  };

  thrift::Presences fields;
  EmptyStruct STRING;
  EmptyStruct MAP;
  EmptyStruct LIST;
  EmptyStruct ENUM;
  DecimalType DECIMAL;
  EmptyStruct DATE;
  TimeType TIME;
  TimestampType TIMESTAMP;
  IntType INTEGER;
  EmptyStruct UNKNOWN;
  EmptyStruct JSON;
  EmptyStruct BSON;
  EmptyStruct UUID;
  EmptyStruct FLOAT16;
  VariantType VARIANT;
  GeometryType GEOMETRY;
  GeographyType GEOGRAPHY;
  EmptyStruct FILE;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
