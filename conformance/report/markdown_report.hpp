#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/report/check_report.hpp"
#include "conformance/report/run_summary.hpp"

namespace parqproof {

/// Markdown in the dialect of GitHub, for a comment on a pull request: the verdicts, the broken rules, and
/// each file with findings, folded, the worst first. A comment has at most 65,536 characters; files beyond
/// kBytes are counted.
class MarkdownReport final : public Report {
 public:
  static constexpr std::size_t kBytes = 60'000;  ///< approximate limit of the complete text

  explicit MarkdownReport(Out& out, ReportExtent extent = ReportExtent::files) noexcept
      : out_(&out), extent_(extent) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  Out* out_;
  ReportExtent extent_;
  /// Texts of files by verdict; within a verdict, files with new faults come first.
  std::map<std::pair<int, bool>, std::vector<std::string>> files_;
  std::size_t bytes_ = 0;  // total size of files_
  SeenFaults faults_;
  std::uint64_t left_out_ = 0;
};

}  // namespace parqproof
