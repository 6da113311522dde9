#pragma once

#include <cstdint>
#include <optional>

#include "codec/format/statistics.hpp"
#include "conformance/statistics/statistics_check.hpp"

namespace parqproof {

/// Which claims of a SizeStatistics struct, or of the lists of the page index that are like it, say nothing
/// wrong by themselves, so that they can be held against data.
struct SizeClaims {
  bool repetition = false;  ///< repetition_level_histogram
  bool definition = false;  ///< definition_level_histogram
  bool unencoded = false;   ///< unencoded_byte_array_data_bytes
};

/// The claims of the SizeStatistics in `meta` that can be held against data.
[[nodiscard]] SizeClaims sound_sizes(const ColumnMetaData& meta, const Node& leaf);

/// What is known of a chunk of which the levels are not.
struct EntryCounts {
  std::int64_t entries = 0;
  std::optional<std::int64_t> rows;
};

/// What SizeStatistics say by themselves.
struct SizeVerdict {
  bool faultless = false;            ///< they break none of the rules
  std::optional<std::int64_t> rows;  ///< of the chunk, as repetition levels are counted; with `counts` alone
};
/// Judges the SizeStatistics in `meta` by the rules that `findings` wants: those about SizeStatistics by
/// themselves, and, with `counts`, those of judge_size_sums().
[[nodiscard]] SizeVerdict verdict_on_sizes(const ColumnMetaData& meta, const Node& leaf,
                                           const std::optional<EntryCounts>& counts,
                                           const Findings& findings);

/// What the SizeStatistics of the column chunks say that is wrong without a look at pages: types, lengths,
/// negative numbers; and where no pages are looked at, sums. It looks at the chunks with
/// ChunkClaim::sizes_reported.
void check_size_statistics(FileCheck& check);

/// Holds the histograms of a chunk against what is known without its levels: size-statistics/histogram-sum,
/// size-statistics/rows, size-statistics/defined. `chunk`: of the ColumnChunk. Returns
/// the histograms that nothing contradicts.
SizeClaims judge_size_sums(const FindingSite& chunk, const ColumnMetaData& meta, const Node& leaf,
                           const EntryCounts& counts);

}  // namespace parqproof
