#pragma once

#include <cstddef>
#include <vector>

#include "conformance/chunk/doubts.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Judges column chunks of the file, given by their places in ParsedFooter::chunks: their indexes and
/// filters, and from tier pages on their pages; CheckOptions::jobs of them at the same time. Fills the
/// tallies, and settles the regions of the chunks.
void check_chunks(FileCheck& check, const RuleSet& wanted, const ChunkList& chunks,
                  const MakeChunkDoubts& doubts);

}  // namespace parqproof
