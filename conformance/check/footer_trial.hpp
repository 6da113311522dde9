#pragma once

#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Checks the bytes up to each earlier footer that the search found (Remains), the last ones first, as a file
/// of their own. The trials read up to 64 MiB and twice the file.
void try_earlier_footers(FileCheck& check, const Policy& policy);

}  // namespace parqproof
