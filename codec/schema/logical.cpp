#include "codec/schema/logical.hpp"

#include <bit>

#include "codec/schema/annotations.hpp"

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
      const auto algorithm = static_cast<std::int32_t>(type.GEOGRAPHY.algorithm);  // SPHERICAL if absent
      const bool known = !kEdgeInterpolationAlgorithmEnum.name_of(algorithm).empty();
      out.algorithm = static_cast<std::int8_t>(known ? algorithm : -1);
      break;
    }
    default:
      break;
  }
  return out;
}

/// Returns true if required fields of the member are absent: a converted type is then more reliable.
bool is_incomplete(const LogicalType& type) {
  switch (by_logical_type(type).kind) {
    case LogicalKind::DECIMAL:
      return !type.DECIMAL.has(DecimalType::id_scale) || !type.DECIMAL.has(DecimalType::id_precision);
    case LogicalKind::TIME:
      return !type.TIME.has(TimeType::id_unit) || !type.TIME.has(TimeType::id_isAdjustedToUTC);
    case LogicalKind::TIMESTAMP:
      return !type.TIMESTAMP.has(TimestampType::id_unit) ||
             !type.TIMESTAMP.has(TimestampType::id_isAdjustedToUTC);
    case LogicalKind::INTEGER:
      return !type.INTEGER.has(IntType::id_bitWidth) || !type.INTEGER.has(IntType::id_isSigned);
    default:
      return false;
  }
}

ResolvedType by_converted_type(const SchemaElement& element) {
  const Annotation* const row = annotation_of(element.converted_type);
  if (row == nullptr) return {};
  ResolvedType out;
  out.kind = row->kind;
  out.unit = row->unit;
  out.is_adjusted_to_utc = row->unit != SecondUnit::none;
  out.bit_width = row->bit_width;
  out.is_signed = row->is_signed;
  if (row->kind == LogicalKind::DECIMAL) {
    out.scale = element.scale;
    out.precision = element.precision;
  }
  return out;
}

/// Returns true if the two annotations do not mean the same. MAP_KEY_VALUE means MAP.
bool contradicts(const ResolvedType& stated, ConvertedType converted) {
  const bool marks_entries = converted == ConvertedType::MAP_KEY_VALUE;
  if (stated.kind == LogicalKind::none) return false;
  if (stated.kind == LogicalKind::UNKNOWN) return !marks_entries && converted != ConvertedType::INTERVAL;
  if (marks_entries) return stated.kind != LogicalKind::MAP;
  const Annotation* const row = annotation_of(stated);
  if (row != nullptr) return row->converted != static_cast<int>(converted);
  const Annotation* const older = annotation_of(converted);  // null for an unknown unit or width
  return older == nullptr || older->kind != stated.kind;
}

}  // namespace

ResolvedType resolve(const SchemaElement& element) noexcept {
  ResolvedType stated;
  ResolvedType older;
  const bool has_stated = element.has(SchemaElement::id_logicalType);
  const bool has_converted = element.has(SchemaElement::id_converted_type);
  if (!has_stated && !has_converted) return {};
  if (has_stated) stated = by_logical_type(element.logicalType);
  if (has_converted) older = by_converted_type(element);
  const bool is_leaf = element.fields.mentions(SchemaElement::id_type);
  const bool marks_entries = element.converted_type == ConvertedType::MAP_KEY_VALUE;
  const bool incomplete = has_stated && is_incomplete(element.logicalType);
  const bool gives_way = stated.kind == LogicalKind::none || incomplete ||
                         (stated.kind == LogicalKind::UNKNOWN && (is_leaf || marks_entries));
  const bool has_older = older.kind != LogicalKind::none;
  ResolvedType out = gives_way && has_older ? older : stated;
  out.stated = stated.kind;
  out.is_unknown = has_stated && stated.kind == LogicalKind::none;
  if (has_older) {
    out.converted = static_cast<std::int8_t>(element.converted_type);
    out.is_conflict = !incomplete && contradicts(stated, element.converted_type);
  }
  return out;
}

}  // namespace parqproof
