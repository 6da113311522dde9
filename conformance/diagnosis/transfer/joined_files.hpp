#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// file/joined: judges whether the file is two that were joined byte by byte. Half of its column
/// chunks or more begin with no page, and all do if offsets count from where a second file begins. Only then
/// is the file lost, and true returned.
bool check_joined_files(FileCheck& check);

}  // namespace parqproof
