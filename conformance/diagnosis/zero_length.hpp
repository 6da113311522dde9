#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// schema/type-length of a FIXED_LEN_BYTE_ARRAY(0) whose pages or bounds hold bytes.
void explain_zero_lengths(FileCheck& check, const RuleSet& wanted);

}  // namespace parqproof
