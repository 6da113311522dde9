#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// schema/type-length: a FIXED_LEN_BYTE_ARRAY(0) has bytes in its pages or bounds.
void explain_zero_lengths(FileCheck& check);

}  // namespace parqproof
