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

/// What the pages of a chunk turned out to be. `whole`: nothing of it was lost, so its sums may be compared.
struct ChunkTally {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::int64_t compressed = 0;
  std::int64_t uncompressed = 0;
  std::int64_t values = 0;           ///< entries, as the page headers say
  std::optional<std::int64_t> rows;  ///< where levels or headers tell them all
  std::uint64_t pages = 0;
  bool walked = false;  ///< all its headers were read
  bool whole = false;
  bool unknown_pages = false;  ///< pages of unknown type or encoding may hold more than was counted
  /// Per ancestor that other leaves share: a fingerprint of the levels projected on it.
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

/// What the check of a file found out.
struct FileOutcome {
  FileOutcome(const RuleSet& wanted, WorkBudget budget) : findings(wanted), work(budget) {}

  Findings findings;
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::optional<Remains> remains;
  std::vector<ChunkTally> tallies;  ///< beside FileFacts::chunks, once pages were read
  std::map<std::size_t, std::int64_t>
      true_rows;  ///< of row groups whose num_rows is not what their columns hold
  WorkBudget work;
  std::uint64_t pages = 0;
  std::uint64_t values = 0;
  std::uint64_t bytes = 0;    ///< of the file that were read
  bool regions_known = true;  ///< every structure's bytes are known, so what is left over is a gap
  bool io_failed = false;
};

}  // namespace parqproof
