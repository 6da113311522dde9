#include "conformance/chunk/empty_chunk.hpp"

#include "conformance/chunk/column_metadata_totals.hpp"
#include "conformance/indexes/index_observers.hpp"
#include "conformance/indexes/offset_index_rules.hpp"
#include "conformance/statistics/statistics_observers.hpp"

namespace parqproof {

void check_empty_chunk(const ChunkScope& chunk, ChunkTotal& tally) {
  tally.start = tally.end = chunk.claim.start;
  tally.walked = tally.sums_known = true;
  tally.rows = 0;
  judge_chunk_claims(chunk, {}, tally, false);
  LocationRules(chunk).end(true);
  check_column_index_without_pages(chunk);
  const std::unique_ptr<ChunkObserver> sizes = size_observer();
  DictionaryUsage use;
  (void)sizes->open(chunk, use);
  ChunkEnd end{.sums_known = true, .complete = true, .values_known = true};
  end.data_pages = 0;
  end.levels_known = end.counts_trusted = true;
  sizes->end_chunk(end);
}

}  // namespace parqproof
