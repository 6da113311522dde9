#pragma once

#include <optional>

#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Returns the schema change that explains the contradictions in the file; nullopt if the policy does not
/// select its rule. All row groups must have been judged.
[[nodiscard]] std::optional<SchemaChange> schema_change_of(const FileCheck& check, const Policy& policy);

/// Judges a file with FileInput::change, and reports the changed element.
void judge_changed(FileCheck& check, const Policy& policy);

}  // namespace parqproof
