#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report/check_report.hpp"

/// The forms of a report that services for continuous integration read.
namespace parqproof {

/// Workflow commands of GitHub Actions: an annotation of the file for each cause. GitHub shows ten of each
/// severity for a step, so errors precede warnings, and warnings precede advice, in each file.
class GithubReport final : public Report {
 public:
  explicit GithubReport(Out& out) noexcept : Report(out) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;
};

/// The first part that could not be checked, of a file whose verdict is for that reason; null for others.
[[nodiscard]] const NotRun* why_incomplete(const FileReport& file) noexcept;

/// Code quality reports of GitLab, in the form of Code Climate: a JSON array with an issue for each cause.
/// GitLab compares those of two branches by fingerprint. An issue needs a line: it is always 1, and the
/// description has the bytes.
class CodeQualityReport final : public Report {
 public:
  explicit CodeQualityReport(Out& out);
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  void issue(const std::string& path, const char* severity, std::string_view check, const std::string& text,
             const std::string& fingerprint);

  JsonWriter json_;
};

/// JUnit XML, the form of test reports: a test case for each file. A file with the exit code 1 is a failure,
/// one with 2 an error. The counts come first, so the cases are kept until the end, each with a few findings.
class JunitReport final : public Report {
 public:
  static constexpr std::size_t kFindings = 20;  ///< max findings of a file

  /// Files with one of the `tolerated` verdicts pass.
  JunitReport(Out& out, std::vector<Verdict> tolerated) : Report(out), tolerated_(std::move(tolerated)) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  std::vector<Verdict> tolerated_;
  std::string cases_;
  std::uint64_t tests_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t errors_ = 0;
};

/// Markdown in the dialect of GitHub, for a comment on a pull request: the verdicts, the broken rules, and
/// each file with findings, folded, the worst first. A comment has at most 65,536 characters; files beyond
/// kBytes are counted.
class MarkdownReport final : public Report {
 public:
  static constexpr std::size_t kBytes = 60'000;  ///< approximate limit of the complete text

  using Report::Report;
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  /// Texts of files by verdict; within a verdict, files with new faults come first.
  std::map<std::pair<int, bool>, std::vector<std::string>> files_;
  std::size_t bytes_ = 0;  // total size of files_
  SeenFaults faults_;
  std::uint64_t left_out_ = 0;
  bool has_known_ = false;  // a file all of whose errors a baseline has
  bool has_new_ = false;    // a file with others
};

/// SARIF 2.1.0, the form of code-scanning services. These limit results and bytes: beyond the limit, errors
/// are kept before warnings and warnings before advice, and a notification has the number of the others.
class SarifReport final : public Report {
 public:
  static constexpr std::uint64_t kResults = 5000;
  static constexpr std::uint64_t kBytes =
      8'000'000;  ///< max size of results; rules and notifications stay below 2 MB
  static constexpr std::uint64_t kNotifications = 1000;

  explicit SarifReport(Out& out) noexcept : Report(out) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  void keep(Severity severity, std::string result);
  void notify(const char* level, const std::string& text, const std::string& path);

  std::array<std::vector<std::string>, 3> results_;  // as JSON, by severity
  std::vector<std::string> notifications_;           // as JSON
  RuleNumbers rules_;
  std::uint64_t kept_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t notifications_left_out_ = 0;
  bool complete_ = true;  // every file could be read
};

}  // namespace parqproof
