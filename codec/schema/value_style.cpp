#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

/// Max scale of decimals that are formatted as such; larger scales do not occur in practice.
constexpr std::int32_t kMaxScale = 10'000;
constexpr std::int32_t kIntervalBytes = 12;
constexpr std::int32_t kTimestamp96Bytes = 12;
constexpr std::int32_t kUuidBytes = 16;
constexpr std::int32_t kFloat16Bytes = 2;

}  // namespace

ValueStyle physical_style(Type type) noexcept {
  switch (type) {
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

ValueStyle logical_style(const Node& leaf) noexcept {
  const ValueStyle stored = physical_style(leaf.type);
  const ResolvedType& type = leaf.logical;
  const bool integer = stored.form == ValueForm::signed_int;
  const bool fixed = leaf.type == Type::FIXED_LEN_BYTE_ARRAY;
  const bool array = fixed || leaf.type == Type::BYTE_ARRAY;
  const auto fixed_of = [&](std::int32_t length) { return fixed && leaf.type_length == length; };
  const unsigned digits = digits_of(type.unit);
  if (leaf.type == Type::INT96) return {ValueForm::int96_timestamp, 0, digits_of(SecondUnit::NANOS)};
  switch (type.kind) {
    case LogicalKind::STRING:
    case LogicalKind::ENUM:
    case LogicalKind::JSON:
      return array ? ValueStyle{ValueForm::text} : stored;
    case LogicalKind::INTEGER:
      return integer && !type.is_signed ? ValueStyle{ValueForm::unsigned_int} : stored;
    case LogicalKind::DECIMAL:
      if (type.scale < 0 || type.scale > kMaxScale) return stored;
      if (integer) return {ValueForm::decimal_int, type.scale};
      return array ? ValueStyle{ValueForm::decimal_bytes, type.scale} : stored;
    case LogicalKind::DATE:
      return leaf.type == Type::INT32 ? ValueStyle{ValueForm::date} : stored;
    case LogicalKind::TIME:
      return integer && digits != 0 ? ValueStyle{ValueForm::time, 0, digits} : stored;
    case LogicalKind::TIMESTAMP:
      if (digits == 0 || (leaf.type != Type::INT64 && !fixed_of(kTimestamp96Bytes))) return stored;
      if (fixed && type.is_misfit) return stored;
      return {fixed ? ValueForm::timestamp_96 : ValueForm::timestamp, 0, digits, type.is_adjusted_to_utc};
    case LogicalKind::INTERVAL:
      return fixed_of(kIntervalBytes) ? ValueStyle{ValueForm::interval} : stored;
    case LogicalKind::UUID:
      return fixed_of(kUuidBytes) ? ValueStyle{ValueForm::uuid} : stored;
    case LogicalKind::FLOAT16:
      return fixed_of(kFloat16Bytes) ? ValueStyle{ValueForm::float16} : stored;
    case LogicalKind::GEOMETRY:
    case LogicalKind::GEOGRAPHY:
      return leaf.type == Type::BYTE_ARRAY ? ValueStyle{ValueForm::wkt} : stored;
    default:
      return stored;
  }
}

}  // namespace parqproof
