#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Removes duplicate findings, for which another finding about the same field or column chunk is more
/// precise. A table in the source lists the pairs of rules.
void fold_duplicates(FileCheck& check, const RuleSet& wanted);

}  // namespace parqproof
