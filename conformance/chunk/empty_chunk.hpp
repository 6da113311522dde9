#pragma once

#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/outcome.hpp"

namespace parqproof {

/// Compares the fields of a chunk that states that it has no pages with an empty chunk; its tally is all
/// zeros.
void check_empty_chunk(const ChunkScope& chunk, ChunkTotal& tally);

}  // namespace parqproof
