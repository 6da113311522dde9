#pragma once

#include <vector>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Determines which published bugs the writer of the file has, by created_by and by the names that Spark and
/// Drill write to key_value_metadata. Judges only what follows from that: known-writer/int96-zone and
/// known-writer/changed-values.
void check_known_writer(FileCheck& check);

/// Returns the bugs that may cause a finding.
[[nodiscard]] std::vector<const KnownBug*> bugs_for(const FileCheck& check, const Finding& finding);

}  // namespace parqproof
