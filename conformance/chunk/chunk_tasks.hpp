#pragma once

#include <cstddef>
#include <vector>

#include "conformance/chunk/doubts.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Judges column chunks of the file, given by their indices in ParsedFooter::chunks: their indexes and
/// filters, and from tier pages on their pages, in CheckOptions::jobs parallel tasks. Fills the tallies, and
/// corrects the regions of the chunks.
void check_chunks(FileCheck& check, const RuleSet& wanted, const ChunkList& chunks,
                  const MakeChunkDoubts& doubts);

}  // namespace parqproof
