#pragma once

#include "codec/page/page_walk.hpp"
#include "conformance/diagnosis/structure_places.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// Sets `walk`, which must not have started, to the start of the pages of a chunk. Either the offsets in the
/// metadata are wrong, or a page at them is damaged; total_compressed_size, the pages and the other
/// structures of the file are the evidence. `reader` is the reader of the walk.
void find_start(const ChunkScope& chunk, const RegionFinder& places, PageReader& reader, PageWalk& walk);

}  // namespace parqproof
