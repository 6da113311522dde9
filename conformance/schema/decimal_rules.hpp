#pragma once

#include "conformance/schema/schema_judge.hpp"

namespace parqproof {

/// scale and precision of an element: of a DECIMAL leaf the numbers that its LogicalType states, the element,
/// or both; of any other element that they are absent (logical-type/decimal-*,
/// schema/scale-precision-context).
void check_decimal(const SchemaJudge& judge, const SchemaSubject& subject);

}  // namespace parqproof
