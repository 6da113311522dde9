#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Advice about sizes and encodings, with figures measured on the file. Called after all chunks were checked;
/// columns with errors or losses get none. Rules that are not wanted cost nothing.
void advise(FileCheck& check);

}  // namespace parqproof
