#pragma once

#include "conformance/schema/schema_subject.hpp"

namespace parqproof {

/// Judges scale and precision: those of the LogicalType and of the element for a DECIMAL leaf, and their
/// absence for any other element (logical-type/decimal-*, schema/scale-precision-context).
void check_decimal(FileCheck& check, const SchemaSubject& subject);

}  // namespace parqproof
