#pragma once

#include <memory>

#include "conformance/chunk/doubts.hpp"

/// Finds the wrong field of a page that contradicts its header. A page is intact if its body can be
/// decompressed and decoded to its last byte. A field is reported as wrong if the page is intact with another
/// value of that field alone, and independent evidence supports this value: the next page, the sums and
/// encodings in the column metadata, or the levels.
namespace parqproof {

/// Returns the search in the pages of one chunk; `walk` is the walk over it. It gives up after a few
/// unexplained pages. The arguments must outlive the result.
[[nodiscard]] std::unique_ptr<PageDoubts> search_page_fields(const ChunkScope& chunk,
                                                             const RegionMap& regions, const PageWalk& walk);

}  // namespace parqproof
