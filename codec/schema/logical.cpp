#include "codec/schema/logical.hpp"

#include <bit>

namespace parqproof {
namespace {

SecondUnit unit_of(const TimeUnit& unit) {
  return unit.has(TimeUnit::id_MILLIS)   ? SecondUnit::MILLIS
         : unit.has(TimeUnit::id_MICROS) ? SecondUnit::MICROS
         : unit.has(TimeUnit::id_NANOS)  ? SecondUnit::NANOS
                                         : SecondUnit::none;
}

ResolvedType by_logical_type(const LogicalType& type) {
  ResolvedType out;
  out.kind = static_cast<LogicalKind>(std::bit_width(type.fields.present >> 1));
  switch (out.kind) {
    case LogicalKind::DECIMAL:
      out.scale = type.DECIMAL.scale;
      out.precision = type.DECIMAL.precision;
      break;
    case LogicalKind::TIME:
      out.unit = unit_of(type.TIME.unit);
      out.is_adjusted_to_utc = type.TIME.isAdjustedToUTC;
      break;
    case LogicalKind::TIMESTAMP:
      out.unit = unit_of(type.TIMESTAMP.unit);
      out.is_adjusted_to_utc = type.TIMESTAMP.isAdjustedToUTC;
      break;
    case LogicalKind::INTEGER:
      out.bit_width = type.INTEGER.bitWidth;
      out.is_signed = type.INTEGER.isSigned;
      break;
    case LogicalKind::VARIANT:
      out.specification_version = type.VARIANT.specification_version;
      break;
    case LogicalKind::GEOGRAPHY: {
      const auto algorithm = static_cast<std::int32_t>(type.GEOGRAPHY.algorithm);  // SPHERICAL if not stated
      const bool known = !kEdgeInterpolationAlgorithmEnum.name_of(algorithm).empty();
      out.algorithm = static_cast<std::int8_t>(known ? algorithm : -1);
      break;
    }
    default:
      break;
  }
  return out;
}

ResolvedType integer(std::int8_t bit_width, bool is_signed) {
  ResolvedType out;
  out.kind = LogicalKind::INTEGER;
  out.bit_width = bit_width;
  out.is_signed = is_signed;
  return out;
}

ResolvedType instant(LogicalKind kind, SecondUnit unit) {
  ResolvedType out;
  out.kind = kind;
  out.unit = unit;
  out.is_adjusted_to_utc = true;
  return out;
}

ResolvedType simple(LogicalKind kind) {
  ResolvedType out;
  out.kind = kind;
  return out;
}

/// By the tables of LogicalTypes.md under "Backward compatibility".
ResolvedType by_converted_type(const SchemaElement& element) {
  switch (element.converted_type) {
    case ConvertedType::UTF8:
      return simple(LogicalKind::STRING);
    case ConvertedType::MAP:
    case ConvertedType::MAP_KEY_VALUE:  // in place of MAP in older files (LogicalTypes.md#maps)
      return simple(LogicalKind::MAP);
    case ConvertedType::LIST:
      return simple(LogicalKind::LIST);
    case ConvertedType::ENUM:
      return simple(LogicalKind::ENUM);
    case ConvertedType::DECIMAL: {
      ResolvedType out = simple(LogicalKind::DECIMAL);
      out.scale = element.scale;
      out.precision = element.precision;
      return out;
    }
    case ConvertedType::DATE:
      return simple(LogicalKind::DATE);
    case ConvertedType::TIME_MILLIS:
      return instant(LogicalKind::TIME, SecondUnit::MILLIS);
    case ConvertedType::TIME_MICROS:
      return instant(LogicalKind::TIME, SecondUnit::MICROS);
    case ConvertedType::TIMESTAMP_MILLIS:
      return instant(LogicalKind::TIMESTAMP, SecondUnit::MILLIS);
    case ConvertedType::TIMESTAMP_MICROS:
      return instant(LogicalKind::TIMESTAMP, SecondUnit::MICROS);
    case ConvertedType::UINT_8:
      return integer(8, false);
    case ConvertedType::UINT_16:
      return integer(16, false);
    case ConvertedType::UINT_32:
      return integer(32, false);
    case ConvertedType::UINT_64:
      return integer(64, false);
    case ConvertedType::INT_8:
      return integer(8, true);
    case ConvertedType::INT_16:
      return integer(16, true);
    case ConvertedType::INT_32:
      return integer(32, true);
    case ConvertedType::INT_64:
      return integer(64, true);
    case ConvertedType::JSON:
      return simple(LogicalKind::JSON);
    case ConvertedType::BSON:
      return simple(LogicalKind::BSON);
    case ConvertedType::INTERVAL:
      return simple(LogicalKind::INTERVAL);
  }
  return {};
}

/// Whether the older fields of the element mean something else than its LogicalType. A ConvertedType of TIME
/// or TIMESTAMP says nothing of UTC: writers must set it for local times too.
bool contradicts(const ResolvedType& stated, const ResolvedType& older, const SchemaElement& element) {
  if (stated.kind == LogicalKind::none) return false;
  if (stated.kind == LogicalKind::DECIMAL) {
    const bool other_scale = element.scale != stated.scale;
    if (element.has(SchemaElement::id_scale) && other_scale) return true;
    if (element.has(SchemaElement::id_precision) && element.precision != stated.precision) return true;
    if (older.kind == LogicalKind::DECIMAL) return other_scale;  // a scale that is not stated is 0
  }
  if (older.kind == LogicalKind::none) return false;
  if (stated.kind == LogicalKind::UNKNOWN) return older.kind != LogicalKind::INTERVAL;
  if (stated.kind != older.kind) return true;
  if (stated.kind == LogicalKind::INTEGER)
    return stated.bit_width != older.bit_width || stated.is_signed != older.is_signed;
  return stated.unit != older.unit && stated.unit != SecondUnit::none;
}

}  // namespace

ResolvedType resolve(const SchemaElement& element) noexcept {
  ResolvedType stated;
  ResolvedType older;
  if (element.has(SchemaElement::id_logicalType)) stated = by_logical_type(element.logicalType);
  if (element.has(SchemaElement::id_converted_type)) older = by_converted_type(element);
  const bool is_leaf = element.fields.mentions(SchemaElement::id_type);
  const bool gives_way = stated.kind == LogicalKind::none || (stated.kind == LogicalKind::UNKNOWN && is_leaf);
  ResolvedType out = gives_way && older.kind != LogicalKind::none ? older : stated;
  out.stated = stated.kind;
  if (older.kind != LogicalKind::none) out.converted = static_cast<std::int8_t>(element.converted_type);
  out.is_conflict = contradicts(stated, older, element);
  return out;
}

}  // namespace parqproof
