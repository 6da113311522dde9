#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/check/report.hpp"

namespace parqproof {

/// What the walk along a chunk shows of the order of its rows, where they are said to be sorted by it first.
enum class SortProof : std::uint8_t {
  none,     ///< nothing
  sorted,   ///< the rows are in the order that is claimed, and nulls where they should be
  distinct  ///< likewise, and no two rows are equal
};

/// Sums over the pages of a chunk, as they were read.
struct ChunkTally {
  std::uint64_t start = 0;           ///< of the first page header in the file
  std::uint64_t end = 0;             ///< one past the last page
  std::int64_t compressed = 0;       ///< bytes of pages with their headers
  std::int64_t uncompressed = 0;     ///< the same with bodies uncompressed
  std::int64_t values = 0;           ///< entries, as the page headers say
  std::optional<std::int64_t> rows;  ///< where levels or headers of all pages tell them
  std::uint64_t pages = 0;
  bool walked = false;  ///< all its headers were read
  bool whole = false;   ///< no page was lost, so that sums can be compared
  SortProof sort_proof = SortProof::none;
  bool unknown_pages = false;  ///< pages of unknown type or encoding may hold more than was counted
  /// For each ancestor that the leaf shares with other leaves, from the outermost on: a hash of what the
  /// levels say of that ancestor.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fingerprints;
};

/// limit/work: the bytes that a footer points at, each as often as it is pointed at, against a ceiling of
/// many times the size of the file. Structures may share bytes, but no honest file claims all of them again
/// and again.
class WorkBudget {
 public:
  WorkBudget(std::uint64_t file_size, const Limits& limits) noexcept
      : ceiling_((kBase + kTimes * file_size) * limits.work) {}

  /// Counts `more` bytes; false where they are too many.
  [[nodiscard]] bool afford(std::uint64_t more) noexcept {
    spent_ += more;
    return spent_ <= ceiling_;
  }
  [[nodiscard]] std::uint64_t spent() const noexcept { return spent_; }      ///< in bytes
  [[nodiscard]] std::uint64_t ceiling() const noexcept { return ceiling_; }  ///< in bytes

 private:
  static constexpr std::uint64_t kTimes = 16;
  static constexpr std::uint64_t kBase = std::uint64_t{4} << 20;

  std::uint64_t ceiling_;
  std::uint64_t spent_ = 0;
};

/// What the check of one file found out. Parts of the check that run one after the other add to it.
struct FileOutcome {
  FileOutcome(const RuleSet& wanted, WorkBudget budget) : findings(wanted), work(budget) {}

  Findings findings;
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::optional<Remains> remains;   ///< where the footer is lost and a search was made
  std::vector<ChunkTally> tallies;  ///< of FileFacts::chunks, one each; empty where no pages were read
  /// The rows that the columns of a row group hold, by its ordinal, where num_rows states others.
  std::map<std::size_t, std::int64_t> true_rows;
  WorkBudget work;
  std::uint64_t pages = 0;    ///< page headers read
  std::uint64_t values = 0;   ///< entries (levels or values) decoded
  std::uint64_t bytes = 0;    ///< bytes of the file that were read and judged
  bool regions_known = true;  ///< the bytes of all structures are known, so that all other bytes are gaps
  bool io_failed = false;     ///< the source could not be read
};

}  // namespace parqproof
