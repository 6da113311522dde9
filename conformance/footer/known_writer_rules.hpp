#pragma once

#include <vector>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Finds out which published bugs the writer of the file has: by created_by, and by the names that Spark and
/// Drill leave in key_value_metadata. Judges what follows from that alone: known-writer/int96-zone and
/// known-writer/changed-values.
void check_known_writer(FileCheck& check);

/// The bugs that a finding may come from.
[[nodiscard]] std::vector<const KnownBug*> bugs_for(const ParsedFooter& footer, const Finding& finding);

}  // namespace parqproof
