#include "conformance/rows/value_text.hpp"

namespace parqproof {
namespace {

/// More digits behind the point than this are no decimal that anybody wrote.
constexpr std::int32_t kMaxScale = 10'000;

/// The annotation, in the terms of the newer LogicalType: 0 is none.
struct Annotation {
  int logical = 0;
  std::int32_t scale = 0;
  unsigned digits = 0;
  bool utc = false;
  bool is_signed = true;
  bool interval = false;
};

unsigned digits_of(const TimeUnit& unit) {
  return unit.has(TimeUnit::id_MILLIS)   ? 3
         : unit.has(TimeUnit::id_MICROS) ? 6
         : unit.has(TimeUnit::id_NANOS)  ? 9
                                         : 0;
}

Annotation by_logical_type(const LogicalType& type) {
  Annotation out;
  for (int id = LogicalType::id_STRING; id <= LogicalType::id_FILE; ++id) {
    if (type.fields.has(id)) out.logical = id;
  }
  out.scale = type.DECIMAL.scale;
  out.is_signed = type.INTEGER.isSigned;
  if (out.logical == LogicalType::id_TIME) out.digits = digits_of(type.TIME.unit);
  if (out.logical == LogicalType::id_TIMESTAMP) {
    out.digits = digits_of(type.TIMESTAMP.unit);
    out.utc = type.TIMESTAMP.isAdjustedToUTC;
  }
  return out;
}

Annotation by_converted_type(const SchemaElement& leaf) {
  Annotation out;
  switch (leaf.converted_type) {
    case ConvertedType::UTF8:
      out.logical = LogicalType::id_STRING;
      break;
    case ConvertedType::ENUM:
      out.logical = LogicalType::id_ENUM;
      break;
    case ConvertedType::JSON:
      out.logical = LogicalType::id_JSON;
      break;
    case ConvertedType::DECIMAL:
      out.logical = LogicalType::id_DECIMAL;
      out.scale = leaf.scale;
      break;
    case ConvertedType::DATE:
      out.logical = LogicalType::id_DATE;
      break;
    case ConvertedType::TIME_MILLIS:
    case ConvertedType::TIME_MICROS:
      out.logical = LogicalType::id_TIME;
      out.digits = leaf.converted_type == ConvertedType::TIME_MILLIS ? 3 : 6;
      break;
    case ConvertedType::TIMESTAMP_MILLIS:
    case ConvertedType::TIMESTAMP_MICROS:
      out.logical = LogicalType::id_TIMESTAMP;
      out.digits = leaf.converted_type == ConvertedType::TIMESTAMP_MILLIS ? 3 : 6;
      out.utc = true;
      break;
    case ConvertedType::UINT_8:
    case ConvertedType::UINT_16:
    case ConvertedType::UINT_32:
    case ConvertedType::UINT_64:
      out.logical = LogicalType::id_INTEGER;
      out.is_signed = false;
      break;
    case ConvertedType::INTERVAL:
      out.interval = true;
      break;
    default:
      break;
  }
  return out;
}

}  // namespace

ValueStyle physical_style(const SchemaElement& leaf) noexcept {
  switch (leaf.type) {
    case Type::BOOLEAN:
      return {ValueForm::boolean};
    case Type::INT32:
    case Type::INT64:
      return {ValueForm::signed_int};
    case Type::FLOAT:
    case Type::DOUBLE:
      return {ValueForm::real};
    default:
      return {ValueForm::hex};
  }
}

ValueStyle logical_style(const SchemaElement& leaf) noexcept {
  const ValueStyle stored = physical_style(leaf);
  Annotation type;
  if (leaf.has(SchemaElement::id_logicalType)) type = by_logical_type(leaf.logicalType);
  // parquet-java writes UNKNOWN beside the converted type INTERVAL, which has no newer name.
  const bool unnamed = type.logical == 0 || type.logical == LogicalType::id_UNKNOWN;
  if (unnamed && leaf.has(SchemaElement::id_converted_type)) type = by_converted_type(leaf);
  const bool integer = stored.form == ValueForm::signed_int;
  const bool array = leaf.type == Type::BYTE_ARRAY;
  const bool fixed = leaf.type == Type::FIXED_LEN_BYTE_ARRAY;
  const auto fixed_of = [&](std::int32_t length) { return fixed && leaf.type_length == length; };
  if (leaf.type == Type::INT96) return {ValueForm::int96_timestamp, 0, 9};
  if (type.interval && fixed_of(12)) return {ValueForm::interval};
  switch (type.logical) {
    case LogicalType::id_STRING:
    case LogicalType::id_ENUM:
    case LogicalType::id_JSON:
      return array || fixed ? ValueStyle{ValueForm::text} : stored;
    case LogicalType::id_INTEGER:
      return integer && !type.is_signed ? ValueStyle{ValueForm::unsigned_int} : stored;
    case LogicalType::id_DECIMAL:
      if (type.scale < 0 || type.scale > kMaxScale) return stored;
      if (integer) return {ValueForm::decimal_int, type.scale};
      return array || fixed ? ValueStyle{ValueForm::decimal_bytes, type.scale} : stored;
    case LogicalType::id_DATE:
      return leaf.type == Type::INT32 ? ValueStyle{ValueForm::date} : stored;
    case LogicalType::id_TIME:
      return integer && type.digits != 0 ? ValueStyle{ValueForm::time, 0, type.digits} : stored;
    case LogicalType::id_TIMESTAMP:
      if (leaf.type != Type::INT64 || type.digits == 0) return stored;
      return {ValueForm::timestamp, 0, type.digits, type.utc};
    case LogicalType::id_UUID:
      return fixed_of(16) ? ValueStyle{ValueForm::uuid} : stored;
    case LogicalType::id_FLOAT16:
      return fixed_of(2) ? ValueStyle{ValueForm::float16} : stored;
    default:
      return stored;
  }
}

}  // namespace parqproof
