#pragma once

#include "conformance/chunk/page_header_tally.hpp"
#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/outcome.hpp"

namespace parqproof {

/// Compares the column metadata with the pages: num_values, sizes, offsets, encodings, encoding_stats
/// (column-chunk/*), and crc/absent. All headers of the chunk must have been read. `last_page_lost`: the
/// body of the last page is damaged, so it may lack bytes.
void judge_chunk_claims(const ChunkScope& chunk, const PageHeaderTally& evidence, const ChunkTotal& tally,
                        bool last_page_lost);

/// If num_values of the chunk agrees with num_rows of the row group, but not with the pages, num_values of a
/// page is wrong; the tally is then marked as unknown, so that no other count is compared with the pages.
void doubt_counts(const ChunkScope& chunk, ChunkTotal& tally, ChunkDetails& details);
/// Returns true if no field of the footer contradicts the entries and rows counted in the pages.
[[nodiscard]] bool are_counts_trusted(const ChunkScope& chunk, const ChunkTotal& tally);

/// Adds to `not_run` what is not judged of a chunk that was not read to its end, or of which pages are lost:
/// its totals, and the page index entries of these pages.
void leave_out_totals(const ChunkScope& chunk, const std::string& why);

}  // namespace parqproof
