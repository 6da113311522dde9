#pragma once

#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

// The bytes of a column chunk in the file under check: each function completes the claim, adds regions to
// Context::regions, and judges the offsets (file/region-inside, summary/file-path). Structures without a
// usable place are lost or not run. An index or filter that overlaps the footer, but has no more bytes than
// the data, is judged when its bytes are read.

/// Adds the pages of the chunk, and its Bloom filter. The metadata must be usable (ChunkState::usable). At
/// tier footer the pages are left to add_page_regions().
void place_pages(FileCheck& check, const ColumnChunk& chunk, ChunkClaim& claim);
/// Adds the encrypted pages of a chunk with visible metadata, and its Bloom filter, which cannot be
/// decrypted. Precondition: is_visible().
void place_sealed_pages(FileCheck& check, const ColumnChunk& chunk, const ChunkClaim& claim);
/// Adds the page indexes of the chunk.
void place_indexes(FileCheck& check, const ColumnChunk& chunk, const ChunkClaim& claim);
/// Adds the pages of all chunks at tier footer, where only the places of regions are judged: if the chunks
/// are in file order without overlaps, and there are no other regions, none is needed.
void add_page_regions(FileCheck& check);

}  // namespace parqproof
