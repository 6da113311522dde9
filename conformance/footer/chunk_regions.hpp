#pragma once

#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

// Where the bytes of a column chunk are in the file that the check is about: each function completes the
// claim, adds regions to Context::regions, and judges the offsets (file/region-inside, summary/file-path).
// What cannot be found is lost or not run. An index or filter that reaches into the footer, although it has
// no more bytes than the data, is judged where its bytes are read.

/// What file/region-inside says of a length with `room` bytes for it.
[[nodiscard]] Contrast beyond(std::int64_t length, std::int64_t room);

/// The pages of the chunk, and its bloom filter. The metadata is usable (ChunkState::usable).
void place_pages(FileCheck& check, const ColumnChunk& chunk, ChunkClaim& claim);
/// The page indexes of the chunk.
void place_indexes(FileCheck& check, const ColumnChunk& chunk, const ChunkClaim& claim);

}  // namespace parqproof
