#pragma once

#include "conformance/check/context.hpp"

namespace parqproof {

/// The rules of the byte map: regions that overlap or are shared, and bytes that nothing owns. Chunks count
/// with the bytes that their pages really take, once those were read. It uses the regions up.
void check_layout(FileCheck& check);

}  // namespace parqproof
