#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Checks the values of FILE groups, at the tier `values` (file-type/resolves, offset-without-size, negative,
/// uri, content-type, checksum-form, checksum-algorithm, checksum and inline-and-uri). Call it after the
/// columns have been checked.
void check_file_rows(FileCheck& check);

}  // namespace parqproof
