#pragma once

#include <functional>
#include <optional>

#include "conformance/state/file_check.hpp"

/// Which single number of the schema lies, where column chunks contradict it. Pages that cannot be read by
/// the schema, all chunks of a column that state another type, and paths in the chunks that another tree
/// would give, are each many faults and one cause.
namespace parqproof {

/// Judges the file with the change of the schema that the ParsedFooter of the trial hold.
using SchemaTrial = std::function<void(FileCheck&)>;

/// Whether a finding may come from a schema that lies.
[[nodiscard]] bool doubts_schema(const FileCheck& check);

/// The change of one SchemaElement with which the file breaks no error that it does not break without it, and
/// none at all in the columns of that element; nothing where there is none. All row groups of `check` have
/// been judged. A trial reads one row group; their number and size are limited.
[[nodiscard]] std::optional<SchemaChange> wrong_schema_element(const FileCheck& check, const RuleSet& wanted,
                                                               const SchemaTrial& trial);

/// The rule that tells of the change.
[[nodiscard]] Rule rule_of(const SchemaChange& change);

/// Makes the finding about the element that lies, once the file was judged with the change.
void report_schema_change(FileCheck& check);

}  // namespace parqproof
