#pragma once

#include <cstdint>
#include <string>

#include "codec/thrift/table.hpp"

namespace parqproof {

/// Physical types.
enum class Type : std::int32_t {
  BOOLEAN = 0,
  INT32 = 1,
  INT64 = 2,
  INT96 = 3,
  FLOAT = 4,
  DOUBLE = 5,
  BYTE_ARRAY = 6,
  FIXED_LEN_BYTE_ARRAY = 7,
};

/// The older annotations of values, superseded by LogicalType.
enum class ConvertedType : std::int32_t {
  UTF8 = 0,
  MAP = 1,
  MAP_KEY_VALUE = 2,
  LIST = 3,
  ENUM = 4,
  DECIMAL = 5,
  DATE = 6,
  TIME_MILLIS = 7,
  TIME_MICROS = 8,
  TIMESTAMP_MILLIS = 9,
  TIMESTAMP_MICROS = 10,
  UINT_8 = 11,
  UINT_16 = 12,
  UINT_32 = 13,
  UINT_64 = 14,
  INT_8 = 15,
  INT_16 = 16,
  INT_32 = 17,
  INT_64 = 18,
  JSON = 19,
  BSON = 20,
  INTERVAL = 21,
};

/// Number of occurrences of a field in its parent: one, none or one, any number.
enum class FieldRepetitionType : std::int32_t {
  REQUIRED = 0,
  OPTIONAL = 1,
  REPEATED = 2,
};

/// Interpolation of the edges of a GEOGRAPHY.
enum class EdgeInterpolationAlgorithm : std::int32_t {
  SPHERICAL = 0,
  VINCENTY = 1,
  THOMAS = 2,
  ANDOYER = 3,
  KARNEY = 4,
};

/// Encodings of values and levels. GROUP_VAR_INT is retired: only the 2013 edition defines it.
enum class Encoding : std::int32_t {
  PLAIN = 0,
  GROUP_VAR_INT = 1,
  PLAIN_DICTIONARY = 2,
  RLE = 3,
  BIT_PACKED = 4,
  DELTA_BINARY_PACKED = 5,
  DELTA_LENGTH_BYTE_ARRAY = 6,
  DELTA_BYTE_ARRAY = 7,
  RLE_DICTIONARY = 8,
  BYTE_STREAM_SPLIT = 9,
  ALP = 10,
};

/// Returns true if values in the encoding are indices of a dictionary.
[[nodiscard]] constexpr bool is_dictionary_encoding(Encoding encoding) noexcept {
  return encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
}

/// Compression codecs of pages.
enum class CompressionCodec : std::int32_t {
  UNCOMPRESSED = 0,
  SNAPPY = 1,
  GZIP = 2,
  LZO = 3,
  BROTLI = 4,
  LZ4 = 5,
  ZSTD = 6,
  LZ4_RAW = 7,
};

/// Kinds of pages.
enum class PageType : std::int32_t {
  DATA_PAGE = 0,
  INDEX_PAGE = 1,
  DICTIONARY_PAGE = 2,
  DATA_PAGE_V2 = 3,
};

/// Order of the bounds in a column index.
enum class BoundaryOrder : std::int32_t {
  UNORDERED = 0,
  ASCENDING = 1,
  DESCENDING = 2,
};

extern const thrift::EnumType kTypeEnum;
extern const thrift::EnumType kConvertedTypeEnum;
extern const thrift::EnumType kFieldRepetitionTypeEnum;
extern const thrift::EnumType kEdgeInterpolationAlgorithmEnum;
extern const thrift::EnumType kEncodingEnum;
extern const thrift::EnumType kCompressionCodecEnum;
extern const thrift::EnumType kPageTypeEnum;
extern const thrift::EnumType kBoundaryOrderEnum;

/// Returns the name of an encoding; the number if it has none.
[[nodiscard]] std::string name_of(Encoding encoding);

}  // namespace parqproof
