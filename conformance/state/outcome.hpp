#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/chunk_totals.hpp"

namespace parqproof {

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
  std::optional<Remains> remains;  ///< where the footer is lost and a search was made
  ChunkTotals tallies;
  /// The rows that the columns of a row group hold, by its ordinal, where num_rows states others.
  std::map<std::size_t, std::int64_t> true_rows;
  WorkBudget work;
  std::uint64_t pages = 0;      ///< page headers read
  std::uint64_t values = 0;     ///< entries (levels or values) decoded
  std::uint64_t bytes = 0;      ///< bytes of the file that were read and judged
  bool footer_misread = false;  ///< the footer length is wrong, so that other bytes were read as a footer
  bool regions_known = true;    ///< the bytes of all structures are known, so that all other bytes are gaps
};

}  // namespace parqproof
