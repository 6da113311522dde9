#pragma once

#include "conformance/schema/schema_subject.hpp"

namespace parqproof {

/// Judges whether the annotations of an element below the root agree with each other and its physical type.
/// The rules are judged in order up to the first violation (logical-type/*-type, int-width, leaf-annotation,
/// converted-*, logical-present, unknown-beside-converted, not-judged).
void check_annotations(FileCheck& check, const SchemaSubject& subject);

/// Judges logical-type/unknown-not-required, after the row groups were read.
void check_unknown_columns(FileCheck& check);

}  // namespace parqproof
