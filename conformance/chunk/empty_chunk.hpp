#pragma once

#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/outcome.hpp"

namespace parqproof {

/// Holds the claims about a chunk that says that it has no pages against that; its tally is that of nothing.
void check_empty_chunk(const ChunkScope& chunk, ChunkTotal& tally);

}  // namespace parqproof
