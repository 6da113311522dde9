#pragma once

#include <optional>
#include <vector>

#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"

/// Search for a single wrong number in a schema that column chunks contradict. Pages that cannot be read with
/// the schema, another type in all chunks of a column, and paths of another tree are many findings with one
/// cause.
namespace parqproof {

/// Returns true if a finding may be caused by a wrong schema.
[[nodiscard]] bool doubts_schema(const FileCheck& check);

/// Returns a change of one SchemaElement that adds no error to the file and leaves none in the columns of
/// that element; nullopt if there is none, or if the policy does not select its rule. All row groups of
/// `check` must have been judged. A trial reads one row group; the number of trials and their size are
/// limited.
[[nodiscard]] std::optional<SchemaChange> schema_change_of(const FileCheck& check, const Policy& policy);

/// Judges a file with FileInput::change, and reports the changed element.
void judge_changed(FileCheck& check, const Policy& policy);

/// Returns the names in path_in_schema.
[[nodiscard]] std::vector<View> path_of(const ColumnMetaData& meta);

}  // namespace parqproof
