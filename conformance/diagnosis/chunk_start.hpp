#pragma once

#include "codec/page/page_walk.hpp"
#include "conformance/diagnosis/structure_places.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// Where the pages of a chunk begin: `walk`, which was not begun, stands there then. The offsets in the
/// metadata may be wrong, or a page that they lead to may be damaged: total_compressed_size, the pages and
/// the other structures of the file tell which. `reader`: that of the walk.
void find_start(const ChunkScope& chunk, const RegionFinder& places, PageReader& reader, PageWalk& walk);

}  // namespace parqproof
