#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/report/check_report.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// JUnit XML, the form of test reports: a test case for each file. A file with the exit code 1 is a failure,
/// one with 2 an error. The counts come first, so the cases are kept until the end, each with a few findings.
class JunitReport final : public Report {
 public:
  static constexpr std::size_t kFindings = 20;  ///< max findings of a file

  /// Files with one of the `tolerated` verdicts pass.
  JunitReport(Out& out, std::vector<Verdict> tolerated) : out_(&out), tolerated_(std::move(tolerated)) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  Out* out_;
  std::vector<Verdict> tolerated_;
  std::string cases_;
  std::uint64_t tests_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t errors_ = 0;
};

}  // namespace parqproof
