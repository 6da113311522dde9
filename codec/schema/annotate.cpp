#include "codec/schema/annotate.hpp"

#include "codec/thrift/emitter.hpp"

namespace parqproof {

using thrift::set;

void annotate(SchemaElement& element, LogicalType::Id id) {
  set(element, SchemaElement::id_logicalType);
  element.logicalType.fields.present = 1U << id;
}

void annotate(SchemaElement& element, LogicalType::Id id, ConvertedType converted) {
  annotate(element, id);
  set(element, SchemaElement::id_converted_type);
  element.converted_type = converted;
}

void annotate_decimal(SchemaElement& element, std::int32_t precision, std::int32_t scale) {
  annotate(element, LogicalType::id_DECIMAL, ConvertedType::DECIMAL);
  DecimalType& decimal = element.logicalType.DECIMAL;
  set(decimal, DecimalType::id_precision, DecimalType::id_scale);
  decimal.precision = precision;
  decimal.scale = scale;
  set(element, SchemaElement::id_precision, SchemaElement::id_scale);
  element.precision = precision;
  element.scale = scale;
}

void annotate_integer(SchemaElement& element, std::int8_t width, bool is_signed, ConvertedType converted) {
  annotate(element, LogicalType::id_INTEGER, converted);
  IntType& integer = element.logicalType.INTEGER;
  set(integer, IntType::id_bitWidth, IntType::id_isSigned);
  integer.bitWidth = width;
  integer.isSigned = is_signed;
}

}  // namespace parqproof
