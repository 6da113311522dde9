#pragma once

#include "conformance/check/context.hpp"

namespace parqproof {

/// Reads page indexes and bloom filter headers as structures, and completes their regions.
void check_index_structures(FileCheck& check);

/// The rules of the byte map: regions that overlap or are shared, and bytes that nothing owns. Chunks count
/// with the bytes that their pages really take, once those were read. It uses the regions up.
void check_layout(FileCheck& check);

}  // namespace parqproof
