#pragma once

#include <functional>
#include <optional>

#include "conformance/state/file_check.hpp"

/// Search for a single wrong number in a schema that column chunks contradict. Pages that cannot be read with
/// the schema, another type in all chunks of a column, and paths of another tree are many findings with one
/// cause.
namespace parqproof {

/// Judges the file with the schema change in the ParsedFooter of the trial.
using SchemaTrial = std::function<void(FileCheck&)>;

/// Returns true if a finding may be caused by a wrong schema.
[[nodiscard]] bool doubts_schema(const FileCheck& check);

/// Returns a change of one SchemaElement that adds no error to the file and leaves none in the columns of
/// that element; nullopt if there is none. All row groups of `check` must have been judged. A trial reads one
/// row group; the number of trials and their size are limited.
[[nodiscard]] std::optional<SchemaChange> wrong_schema_element(const FileCheck& check, const RuleSet& wanted,
                                                               const SchemaTrial& trial);

/// Returns the rule that reports the change.
[[nodiscard]] Rule rule_of(const SchemaChange& change);

/// Reports the wrong element, after the file was judged with the change.
void report_schema_change(FileCheck& check);

}  // namespace parqproof
