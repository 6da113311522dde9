#pragma once

#include <cstdint>
#include <vector>

#include "conformance/chunk/index_reader.hpp"
#include "conformance/chunk/page_body.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The outcome of checking one chunk; each chunk has its own, so that chunks can be judged in parallel.
struct ChunkOutcome {
  explicit ChunkOutcome(const RuleSet& wanted) : findings(wanted) {}

  Findings findings;
  ChunkTotal total;
  ChunkDetails details;
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::vector<ChunkIndexes::Settled> settled;  ///< regions whose offset or length differs from the footer
  std::uint64_t pages = 0;                     ///< headers read
  std::uint64_t checksums = 0;                 ///< pages with a crc
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  bool regions_known = true;
};

/// Reads the index structures of one chunk; `regions` are those of the chunk that the budget allows. If
/// `with_pages`, walks along its pages and judges their headers, at tier values also their bodies, and then
/// the column metadata. `doubts_counts`: num_values of a page header may be wrong, which is reported at that
/// page if other fields show which page it is.
void check_chunk(const Context& context, const ChunkDoubts& doubts, RegionRange regions,
                 const ChunkClaim& claim, bool with_pages, bool doubts_counts, Scratch& scratch,
                 ChunkOutcome& outcome);

}  // namespace parqproof
