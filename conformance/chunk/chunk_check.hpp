#pragma once

#include <cstdint>
#include <vector>

#include "conformance/chunk/index_reader.hpp"
#include "conformance/chunk/page_body.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// What the check of one chunk found; each chunk has its own, so that chunks can be judged side by side.
struct ChunkOutcome {
  explicit ChunkOutcome(const RuleSet& wanted) : findings(wanted) {}

  Findings findings;
  ChunkTotal tally;
  ChunkDetails details;
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::vector<ChunkIndexes::Settled> settled;  ///< regions whose bytes are others than stated
  std::uint64_t pages = 0;                     ///< headers read
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  bool regions_known = true;
};

/// Reads the structures of one chunk: `regions` are those of the chunk that can be afforded. Then,
/// `with_pages`, walks along its pages and judges headers, and at tier values bodies; then what the chunk
/// claims of them. `doubts_counts`: a page header may lie about its entries; where other claims tell which,
/// it is told there.
void check_chunk(const Context& context, const ChunkDoubts& doubts, RegionRange regions,
                 const ChunkClaim& claim, bool with_pages, bool doubts_counts, Scratch& scratch,
                 ChunkOutcome& outcome);

}  // namespace parqproof
