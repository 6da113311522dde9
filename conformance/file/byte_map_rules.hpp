#pragma once

#include <vector>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The rules of the byte map: regions that overlap or are shared, and bytes that nothing owns. Chunks count
/// with the bytes that their pages really take, once those were read. It uses the regions up.
/// Returns the bytes that no structure refers to, unless all of them are zeros.
std::vector<ByteRange> check_layout(FileCheck& check);

}  // namespace parqproof
