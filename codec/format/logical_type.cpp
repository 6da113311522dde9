#include "codec/format/logical_type.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kDecimalTypeFields[] = {
    Field{1, "scale", i32, required, offsetof(DecimalType, scale)},
    Field{2, "precision", i32, required, offsetof(DecimalType, precision)},
};

constexpr Field kTimeUnitFields[] = {
    Field{1, "MILLIS", structure, optional, offsetof(TimeUnit, MILLIS)}.of(kMilliSeconds),
    Field{2, "MICROS", structure, optional, offsetof(TimeUnit, MICROS)}.of(kMicroSeconds),
    Field{3, "NANOS", structure, optional, offsetof(TimeUnit, NANOS)}.of(kNanoSeconds),
};

constexpr Field kTimestampTypeFields[] = {
    Field{1, "isAdjustedToUTC", boolean, required, offsetof(TimestampType, isAdjustedToUTC)},
    Field{2, "unit", structure, required, offsetof(TimestampType, unit)}.of(TimeUnit::kType),
};

constexpr Field kTimeTypeFields[] = {
    Field{1, "isAdjustedToUTC", boolean, required, offsetof(TimeType, isAdjustedToUTC)},
    Field{2, "unit", structure, required, offsetof(TimeType, unit)}.of(TimeUnit::kType),
};

constexpr Field kIntTypeFields[] = {
    Field{1, "bitWidth", i8, required, offsetof(IntType, bitWidth)},
    Field{2, "isSigned", boolean, required, offsetof(IntType, isSigned)},
};

constexpr Field kVariantTypeFields[] = {
    Field{1, "specification_version", i8, optional, offsetof(VariantType, specification_version)},
};

constexpr Field kGeometryTypeFields[] = {
    Field{1, "crs", string, optional, offsetof(GeometryType, crs)},
};

constexpr Field kGeographyTypeFields[] = {
    Field{1, "crs", string, optional, offsetof(GeographyType, crs)},
    Field{2, "algorithm", enumeration, optional, offsetof(GeographyType, algorithm)}.of(
        kEdgeInterpolationAlgorithmEnum),
};

constexpr Field kLogicalTypeFields[] = {
    Field{1, "STRING", structure, optional, offsetof(LogicalType, STRING)}.of(kStringType),
    Field{2, "MAP", structure, optional, offsetof(LogicalType, MAP)}.of(kMapType),
    Field{3, "LIST", structure, optional, offsetof(LogicalType, LIST)}.of(kListType),
    Field{4, "ENUM", structure, optional, offsetof(LogicalType, ENUM)}.of(kEnumType),
    Field{5, "DECIMAL", structure, optional, offsetof(LogicalType, DECIMAL)}.of(DecimalType::kType),
    Field{6, "DATE", structure, optional, offsetof(LogicalType, DATE)}.of(kDateType),
    Field{7, "TIME", structure, optional, offsetof(LogicalType, TIME)}.of(TimeType::kType),
    Field{8, "TIMESTAMP", structure, optional, offsetof(LogicalType, TIMESTAMP)}.of(TimestampType::kType),
    Field{10, "INTEGER", structure, optional, offsetof(LogicalType, INTEGER)}.of(IntType::kType),
    Field{11, "UNKNOWN", structure, optional, offsetof(LogicalType, UNKNOWN)}.of(kNullType),
    Field{12, "JSON", structure, optional, offsetof(LogicalType, JSON)}.of(kJsonType),
    Field{13, "BSON", structure, optional, offsetof(LogicalType, BSON)}.of(kBsonType),
    Field{14, "UUID", structure, optional, offsetof(LogicalType, UUID)}.of(kUUIDType),
    Field{15, "FLOAT16", structure, optional, offsetof(LogicalType, FLOAT16)}.of(kFloat16Type),
    Field{16, "VARIANT", structure, optional, offsetof(LogicalType, VARIANT)}.of(VariantType::kType),
    Field{17, "GEOMETRY", structure, optional, offsetof(LogicalType, GEOMETRY)}.of(GeometryType::kType),
    Field{18, "GEOGRAPHY", structure, optional, offsetof(LogicalType, GEOGRAPHY)}.of(GeographyType::kType),
    Field{19, "FILE", structure, optional, offsetof(LogicalType, FILE)}.of(kFileType),
};

}  // namespace

constexpr thrift::StructType DecimalType::kType{"DecimalType", kDecimalTypeFields};
constexpr thrift::StructType TimeUnit::kType{"TimeUnit", kTimeUnitFields, true};
constexpr thrift::StructType TimestampType::kType{"TimestampType", kTimestampTypeFields};
constexpr thrift::StructType TimeType::kType{"TimeType", kTimeTypeFields};
constexpr thrift::StructType IntType::kType{"IntType", kIntTypeFields};
constexpr thrift::StructType VariantType::kType{"VariantType", kVariantTypeFields};
constexpr thrift::StructType GeometryType::kType{"GeometryType", kGeometryTypeFields};
constexpr thrift::StructType GeographyType::kType{"GeographyType", kGeographyTypeFields};
constexpr thrift::StructType LogicalType::kType{"LogicalType", kLogicalTypeFields, true};

}  // namespace parqproof
