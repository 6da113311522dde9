#pragma once

#include "conformance/chunk/page_header_tally.hpp"
#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/outcome.hpp"

namespace parqproof {

/// Holds what the metadata of a chunk claims of its pages against what they are: num_values, sizes, offsets,
/// encodings, encoding_stats (column-chunk/*), and crc/absent. All headers of the chunk were read.
/// `last_page_lost`: the body of the last page is damaged, so it may lack bytes.
void judge_chunk_claims(const ChunkScope& chunk, const PageHeaderTally& evidence, const ChunkTotal& tally,
                        bool last_page_lost);

/// Where the rows of the row group agree with num_values of the chunk, num_values of a page is wrong, and
/// nothing else is held against what the pages hold.
void doubt_counts(const ChunkScope& chunk, ChunkTotal& tally, ChunkDetails& details);
/// Whether nothing in the footer contradicts the entries and rows that the pages count.
[[nodiscard]] bool are_counts_trusted(const ChunkScope& chunk, const ChunkTotal& tally);

/// Says what is not judged of a chunk that was not read to its end, or of which pages are lost: its totals,
/// and the entries of its page index that are about these pages.
void leave_out_totals(const ChunkScope& chunk, const std::string& why);

}  // namespace parqproof
