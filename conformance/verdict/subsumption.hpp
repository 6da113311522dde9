#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Removes duplicate findings: those that say in other words what another finding about the same field or
/// column chunk says better (codec/rules/subsumed.def).
void fold_duplicates(FileCheck& check, const RuleSet& wanted);

}  // namespace parqproof
