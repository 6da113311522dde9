#pragma once

#include <cstdint>

#include "codec/format/schema_element.hpp"

/// Sets annotations of schema elements, as current writers do: logicalType, and the converted_type that is
/// its counterpart (LogicalTypes.md#compatibility).
namespace parqproof {

void annotate(SchemaElement& element, LogicalType::Id id);
void annotate(SchemaElement& element, LogicalType::Id id, ConvertedType converted);
void annotate_decimal(SchemaElement& element, std::int32_t precision, std::int32_t scale);
void annotate_integer(SchemaElement& element, std::int8_t width, bool is_signed, ConvertedType converted);

/// Sets the unit of a TimestampType or TimeType.
template <typename Moment>
void set_unit(Moment& moment, bool is_adjusted_to_utc, TimeUnit::Id unit) noexcept {
  moment.fields.present |= 1U << Moment::id_isAdjustedToUTC | 1U << Moment::id_unit;
  moment.isAdjustedToUTC = is_adjusted_to_utc;
  moment.unit.fields.present = 1U << unit;
}

}  // namespace parqproof
