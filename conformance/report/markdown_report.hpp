#pragma once

#include <cstdint>
#include <string>

#include "conformance/report/check_report.hpp"

namespace parqproof {

/// Markdown as GitHub shows it, for a comment on a pull request: the verdicts, the rules that are broken, and
/// each file that is not conforming, folded. A comment holds 65,536 characters; files beyond kBytes are
/// counted.
class MarkdownReport final : public Report {
 public:
  static constexpr std::size_t kBytes = 60'000;  ///< of the whole text, about

  explicit MarkdownReport(Out& out, ReportExtent extent = ReportExtent::files) noexcept
      : out_(&out), extent_(extent) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  Out* out_;
  ReportExtent extent_;
  std::string files_;  // the text of files; verdicts and rules come first
  std::uint64_t left_out_ = 0;
};

}  // namespace parqproof
