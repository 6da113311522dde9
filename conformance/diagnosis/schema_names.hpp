#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// schema/name: all column chunks below an element agree on another name. The finding replaces
/// column-chunk/path of these chunks. A single chunk is no evidence, because its path may be wrong, unless it
/// has the name that LIST or MAP requires there.
void explain_schema_names(FileCheck& check);

}  // namespace parqproof
