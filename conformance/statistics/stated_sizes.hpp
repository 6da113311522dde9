#pragma once

#include <cstdint>
#include <optional>

#include "codec/format/statistics.hpp"
#include "conformance/statistics/statistics_check.hpp"

namespace parqproof {

/// The claims of a SizeStatistics struct, or of the similar lists of the page index, that have no fault of
/// their own, so they can be compared with data.
struct SizeClaims {
  bool repetition = false;  ///< repetition_level_histogram
  bool definition = false;  ///< definition_level_histogram
  bool unencoded = false;   ///< unencoded_byte_array_data_bytes
};

/// The claims of the SizeStatistics in `meta` that can be compared with data.
[[nodiscard]] SizeClaims sound_sizes(const ColumnMetaData& meta, const Node& leaf);

/// The counts of a chunk whose levels are not known.
struct EntryCounts {
  std::int64_t entries = 0;
  std::optional<std::int64_t> rows;
};

/// The result of the rules for SizeStatistics alone.
struct SizeVerdict {
  bool faultless = false;            ///< they break none of the rules
  std::optional<std::int64_t> rows;  ///< of the chunk by the repetition level histogram; only with `counts`
};
/// Judges the SizeStatistics in `meta` by the rules that `findings` wants: those for SizeStatistics alone,
/// and, with `counts`, those of judge_size_sums().
[[nodiscard]] SizeVerdict verdict_on_sizes(const ColumnMetaData& meta, const Node& leaf,
                                           const std::optional<EntryCounts>& counts,
                                           const Findings& findings);

/// Judges the SizeStatistics of the column chunks without pages: types, lengths, negative numbers; and, if no
/// pages are read, sums. Only chunks with ChunkClaim::sizes_reported are judged.
void check_size_statistics(FileCheck& check);

/// Compares the histograms of a chunk with the counts that are known without its levels:
/// size-statistics/histogram-sum, size-statistics/rows, size-statistics/defined. `chunk`: the site of the
/// ColumnChunk. Returns the histograms without a contradiction.
SizeClaims judge_size_sums(const FindingSite& chunk, const ColumnMetaData& meta, const Node& leaf,
                           const EntryCounts& counts);

}  // namespace parqproof
