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

/// limit/work: counts the bytes that a footer refers to, each as often as it is referred to. The limit is a
/// multiple of the file size: structures of valid files may share bytes, but not all of them many times.
class WorkBudget {
 public:
  WorkBudget(std::uint64_t file_size, const Limits& limits) noexcept
      : ceiling_((kBase + kTimes * file_size) * limits.work) {}

  /// Counts `more` bytes; returns false if the limit is exceeded.
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

/// Results of the check of one file. Parts of the check add to it one after the other.
struct FileOutcome {
  FileOutcome(const RuleSet& wanted, WorkBudget budget) : findings(wanted), work(budget) {}

  Findings findings;
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::optional<Remains> remains;  ///< set if the footer is lost and was searched
  ChunkTotals tallies;
  /// Rows that the columns of a row group hold, by its ordinal; only for row groups with another num_rows.
  std::map<std::size_t, std::int64_t> true_rows;
  WorkBudget work;
  std::uint64_t pages = 0;      ///< page headers read
  std::uint64_t checksums = 0;  ///< pages with a crc
  std::uint64_t values = 0;     ///< entries (levels or values) decoded
  std::uint64_t bytes = 0;      ///< bytes of the file that were read and judged
  bool footer_misread = false;  ///< the footer length is wrong, so other bytes were read as the footer
  bool regions_known = true;    ///< the bytes of all structures are known, so all other bytes are gaps
};

}  // namespace parqproof
