#pragma once

#include "conformance/check/context.hpp"

namespace parqproof {

/// Holds the claims of each row group against its chunks: rows, sizes, offset, and the levels that its
/// columns share.
void check_row_groups(FileCheck& check);

}  // namespace parqproof
