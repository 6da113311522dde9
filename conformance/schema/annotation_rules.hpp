#pragma once

#include "conformance/schema/schema_subject.hpp"

namespace parqproof {

/// What the annotations of an element below the root say of each other and of its physical type, one rule
/// after the other: where one is broken, those behind it are not judged (logical-type/*-type, int-width,
/// leaf-annotation, converted-*, logical-present, unknown-beside-converted, not-judged).
void check_annotations(FileCheck& check, const SchemaSubject& subject);

/// logical-type/unknown-not-required, once the row groups were read.
void check_unknown_columns(FileCheck& check);

}  // namespace parqproof
