#pragma once

#include "conformance/report/check_report.hpp"

namespace parqproof {

/// Workflow commands of GitHub Actions: an annotation of the file for each cause. GitHub shows ten of each
/// severity for a step, so errors precede warnings, and warnings precede advice, in each file.
class GithubReport final : public Report {
 public:
  explicit GithubReport(Out& out) noexcept : out_(&out) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  Out* out_;
};

}  // namespace parqproof
