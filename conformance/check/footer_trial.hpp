#pragma once

#include "conformance/diagnosis/trial.hpp"
#include "conformance/policy/policy.hpp"

namespace parqproof {

/// Checks the bytes up to each earlier footer that the search found (Remains), the last ones first, as a file
/// of their own, as long as the budget allows.
void try_earlier_footers(FileCheck& check, const Policy& policy, TrialBudget& budget);

}  // namespace parqproof
