#pragma once

#include <array>

#include "codec/base/limits.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/empty_structs.hpp"
#include "codec/format/encryption.hpp"
#include "codec/format/enums.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/logical_type.hpp"
#include "codec/format/page_header.hpp"
#include "codec/format/page_index.hpp"
#include "codec/format/row_group.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/format/statistics.hpp"

// clang-format off: it does not terminate on these.
/// Calls X(name) for every struct and union that has fields.
#define PARQPROOF_STRUCTS(X) \
  X(SizeStatistics) X(BoundingBox) X(GeospatialStatistics) X(Statistics) X(DecimalType) X(TimeUnit) \
  X(TimestampType) X(TimeType) X(IntType) X(VariantType) X(GeometryType) X(GeographyType) X(LogicalType) \
  X(SchemaElement) X(DataPageHeader) X(DictionaryPageHeader) X(DataPageHeaderV2) X(BloomFilterAlgorithm) \
  X(BloomFilterHash) X(BloomFilterCompression) X(BloomFilterHeader) X(PageHeader) X(KeyValue) \
  X(SortingColumn) X(PageEncodingStats) X(ColumnMetaData) X(EncryptionWithColumnKey) \
  X(ColumnCryptoMetaData) X(ColumnChunk) X(RowGroup) X(ColumnOrder) X(PageLocation) X(OffsetIndex) \
  X(ColumnIndex) X(AesGcmV1) X(AesGcmCtrV1) X(EncryptionAlgorithm) X(FileMetaData) X(FileCryptoMetaData)

/// Calls X(name) for every struct without fields; its table is k<name>.
#define PARQPROOF_EMPTY_STRUCTS(X) \
  X(StringType) X(UUIDType) X(MapType) X(ListType) X(EnumType) X(DateType) X(Float16Type) X(NullType) \
  X(MilliSeconds) X(MicroSeconds) X(NanoSeconds) X(JsonType) X(BsonType) X(FileType) X(IndexPageHeader) \
  X(SplitBlockAlgorithm) X(XxHash) X(Uncompressed) X(EncryptionWithFooterKey) X(TypeDefinedOrder) \
  X(IEEE754TotalOrder) X(Int96TimestampOrder)

/// Calls X(name) for every enumeration; its table is k<name>Enum.
#define PARQPROOF_ENUMS(X) \
  X(Type) X(ConvertedType) X(FieldRepetitionType) X(EdgeInterpolationAlgorithm) X(Encoding) \
  X(CompressionCodec) X(PageType) X(BoundaryOrder)
// clang-format on

namespace parqproof::test {

/// The default ones.
inline constexpr Limits kLimits;

#define PARQPROOF_TABLE(name) &name::kType,
#define PARQPROOF_EMPTY_TABLE(name) &k##name,
#define PARQPROOF_ENUM_TABLE(name) &k##name##Enum,
/// The field tables of all structs, in the order of the lists above.
inline constexpr std::array kAllStructs = {PARQPROOF_STRUCTS(PARQPROOF_TABLE)
                                               PARQPROOF_EMPTY_STRUCTS(PARQPROOF_EMPTY_TABLE)};
inline constexpr std::array kAllEnums = {PARQPROOF_ENUMS(PARQPROOF_ENUM_TABLE)};
#undef PARQPROOF_TABLE
#undef PARQPROOF_EMPTY_TABLE
#undef PARQPROOF_ENUM_TABLE

}  // namespace parqproof::test
