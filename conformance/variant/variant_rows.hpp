#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Judges the values of VARIANT groups, after their chunks were walked: reads the columns of a group side by
/// side, row by row (variant/*, shredding/*). Memory: the cursors, and one value.
void check_variant_rows(FileCheck& check);

}  // namespace parqproof
