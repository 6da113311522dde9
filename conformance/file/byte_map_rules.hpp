#pragma once

#include <vector>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Judges the byte map: regions that overlap or are shared, and bytes that no structure owns. Chunks have
/// the actual bytes of their pages, once those were read. Moves the regions out of `check`. Returns the
/// bytes that no structure refers to, unless all of them are zeros.
std::vector<ByteRange> check_layout(FileCheck& check);

}  // namespace parqproof
