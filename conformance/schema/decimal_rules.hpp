#pragma once

#include "conformance/schema/schema_subject.hpp"

namespace parqproof {

/// scale and precision of an element: of a DECIMAL leaf the numbers that its LogicalType states, the element,
/// or both; of any other element that they are absent (logical-type/decimal-*,
/// schema/scale-precision-context).
void check_decimal(FileCheck& check, const SchemaSubject& subject);

}  // namespace parqproof
