#include "codec/format/schema_element.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kSchemaElementFields[] = {
    Field{1, "type", enumeration, optional, offsetof(SchemaElement, type)}.of(kTypeEnum),
    Field{2, "type_length", i32, optional, offsetof(SchemaElement, type_length)},
    Field{3, "repetition_type", enumeration, optional, offsetof(SchemaElement, repetition_type)}.of(
        kFieldRepetitionTypeEnum),
    Field{4, "name", string, required, offsetof(SchemaElement, name)},
    Field{5, "num_children", i32, optional, offsetof(SchemaElement, num_children)},
    Field{6, "converted_type", enumeration, optional, offsetof(SchemaElement, converted_type)}.of(
        kConvertedTypeEnum),
    Field{7, "scale", i32, optional, offsetof(SchemaElement, scale)},
    Field{8, "precision", i32, optional, offsetof(SchemaElement, precision)},
    Field{9, "field_id", i32, optional, offsetof(SchemaElement, field_id)},
    Field{10, "logicalType", structure, optional, offsetof(SchemaElement, logicalType)}.of(
        LogicalType::kType),
};

}  // namespace

constexpr thrift::StructType SchemaElement::kType{"SchemaElement", kSchemaElementFields};

}  // namespace parqproof
