#pragma once

#include <optional>

#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The change of the schema without which nothing of a file fits, for a check that has judged all row groups;
/// nothing where the policy does not want its rule.
[[nodiscard]] std::optional<SchemaChange> schema_change_of(const FileCheck& check, const Policy& policy);

/// Judges a file by FileInput::change, and reports what it changes.
void judge_changed(FileCheck& check, const Policy& policy);

}  // namespace parqproof
