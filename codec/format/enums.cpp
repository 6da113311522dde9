#include "codec/format/enums.hpp"

namespace parqproof {
namespace {

using thrift::EnumValue;

constexpr EnumValue kTypeValues[] = {
    {0, "BOOLEAN"}, {1, "INT32"},  {2, "INT64"},      {3, "INT96"},
    {4, "FLOAT"},   {5, "DOUBLE"}, {6, "BYTE_ARRAY"}, {7, "FIXED_LEN_BYTE_ARRAY"},
};

constexpr EnumValue kConvertedTypeValues[] = {
    {0, "UTF8"},
    {1, "MAP"},
    {2, "MAP_KEY_VALUE"},
    {3, "LIST"},
    {4, "ENUM"},
    {5, "DECIMAL"},
    {6, "DATE"},
    {7, "TIME_MILLIS"},
    {8, "TIME_MICROS"},
    {9, "TIMESTAMP_MILLIS"},
    {10, "TIMESTAMP_MICROS"},
    {11, "UINT_8"},
    {12, "UINT_16"},
    {13, "UINT_32"},
    {14, "UINT_64"},
    {15, "INT_8"},
    {16, "INT_16"},
    {17, "INT_32"},
    {18, "INT_64"},
    {19, "JSON"},
    {20, "BSON"},
    {21, "INTERVAL"},
};

constexpr EnumValue kFieldRepetitionTypeValues[] = {
    {0, "REQUIRED"},
    {1, "OPTIONAL"},
    {2, "REPEATED"},
};

constexpr EnumValue kEdgeInterpolationAlgorithmValues[] = {
    {0, "SPHERICAL"}, {1, "VINCENTY"}, {2, "THOMAS"}, {3, "ANDOYER"}, {4, "KARNEY"},
};

constexpr EnumValue kEncodingValues[] = {
    {0, "PLAIN"},
    {1, "GROUP_VAR_INT"},
    {2, "PLAIN_DICTIONARY"},
    {3, "RLE"},
    {4, "BIT_PACKED"},
    {5, "DELTA_BINARY_PACKED"},
    {6, "DELTA_LENGTH_BYTE_ARRAY"},
    {7, "DELTA_BYTE_ARRAY"},
    {8, "RLE_DICTIONARY"},
    {9, "BYTE_STREAM_SPLIT"},
    {10, "ALP"},
};

constexpr EnumValue kCompressionCodecValues[] = {
    {0, "UNCOMPRESSED"}, {1, "SNAPPY"}, {2, "GZIP"}, {3, "LZO"},
    {4, "BROTLI"},       {5, "LZ4"},    {6, "ZSTD"}, {7, "LZ4_RAW"},
};

constexpr EnumValue kPageTypeValues[] = {
    {0, "DATA_PAGE"},
    {1, "INDEX_PAGE"},
    {2, "DICTIONARY_PAGE"},
    {3, "DATA_PAGE_V2"},
};

constexpr EnumValue kBoundaryOrderValues[] = {
    {0, "UNORDERED"},
    {1, "ASCENDING"},
    {2, "DESCENDING"},
};

}  // namespace

constexpr thrift::EnumType kTypeEnum{"Type", kTypeValues};
constexpr thrift::EnumType kConvertedTypeEnum{"ConvertedType", kConvertedTypeValues};
constexpr thrift::EnumType kFieldRepetitionTypeEnum{"FieldRepetitionType", kFieldRepetitionTypeValues};
constexpr thrift::EnumType kEdgeInterpolationAlgorithmEnum{"EdgeInterpolationAlgorithm",
                                                           kEdgeInterpolationAlgorithmValues};
constexpr thrift::EnumType kEncodingEnum{"Encoding", kEncodingValues};
constexpr thrift::EnumType kCompressionCodecEnum{"CompressionCodec", kCompressionCodecValues};
constexpr thrift::EnumType kPageTypeEnum{"PageType", kPageTypeValues};
constexpr thrift::EnumType kBoundaryOrderEnum{"BoundaryOrder", kBoundaryOrderValues};

std::string name_of(Encoding encoding) {
  const std::string_view name = kEncodingEnum.name_of(static_cast<int>(encoding));
  return name.empty() ? std::to_string(static_cast<int>(encoding)) : std::string(name);
}

}  // namespace parqproof
