#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/result/file_report.hpp"

namespace parqproof {

/// A change of the checked rules by an option or a configuration. Members that do not apply are empty.
struct Change {
  std::string by = {};        ///< the option, or "configuration"
  std::string rule = {};      ///< pattern of rules
  std::string severity = {};  ///< error, warning, info, off; empty: only these rules are checked (--only)
  std::vector<std::string> paths = {};    ///< patterns of files; empty: all
  std::vector<std::string> writers = {};  ///< patterns of writers; empty: all
  std::string reason = {};
  std::string profile = {};
  std::string edition = {};
  std::string tolerate = {};
};

/// Recognizes files with the same faults as an earlier file.
class SeenFaults {
 public:
  /// Returns true if an earlier file has the same verdict and breaks the same rules.
  [[nodiscard]] bool has(const FileReport& file);

 private:
  static constexpr std::size_t kCounted = 10'000;  ///< max number of distinct faults

  std::set<std::string> seen_;
};

/// Totals of a run over files, rule by rule. Its memory does not grow with the number of files.
class RunSummary {
 public:
  static constexpr std::size_t kWriters = 20;             ///< max writers named for a rule
  static constexpr std::size_t kWritersCounted = 10'000;  ///< max number of distinct writers

  /// The findings of one rule in all files.
  struct OfRule {
    Rule rule{};
    Severity severity = Severity::error;
    std::uint64_t findings = 0;  ///< counted with repetitions
    std::uint64_t files = 0;
    std::vector<std::string> writers;  ///< application and version, in order of appearance
    std::set<std::size_t> met;         ///< hashes of all writers
    std::string path;                  ///< file of the first finding
    ReportedFinding first;

    /// Number of writers that are not named.
    [[nodiscard]] std::size_t more_writers() const noexcept { return met.size() - writers.size(); }
  };

  /// A file that is not conforming.
  struct OfFile {
    std::string path;
    Verdict verdict = Verdict::conforming;
    bool seen = false;         ///< an earlier file has the same faults
    std::optional<Rule> rule;  ///< the first broken rule, errors first
    std::uint64_t more_rules = 0;
  };
  static constexpr std::size_t kFiles = 20;  ///< max files named

  RunSummary() = default;
  explicit RunSummary(std::vector<Change> changes) : changes_(std::move(changes)) {}

  void add(const FileReport& file);

  [[nodiscard]] const std::vector<Change>& changes() const noexcept { return changes_; }
  [[nodiscard]] std::uint64_t files() const noexcept { return files_; }
  [[nodiscard]] const std::map<Verdict, std::uint64_t>& verdicts() const noexcept { return verdicts_; }
  [[nodiscard]] const SeverityCounts& counts() const noexcept { return counts_; }
  /// New findings compared with a baseline; empty without one.
  [[nodiscard]] const std::optional<SeverityCounts>& fresh() const noexcept { return fresh_; }
  [[nodiscard]] std::uint64_t vanished() const noexcept { return vanished_; }
  /// The worst files: by verdict; within a verdict, files with new faults come first.
  [[nodiscard]] const std::vector<OfFile>& worst() const noexcept { return worst_; }
  /// Errors first, then warnings, then infos; within a severity the most frequent first.
  [[nodiscard]] std::vector<const OfRule*> rules() const;

 private:
  void add_to_worst(const FileReport& file);

  std::vector<Change> changes_;
  std::uint64_t files_ = 0;
  std::map<Verdict, std::uint64_t> verdicts_;
  SeverityCounts counts_;
  std::optional<SeverityCounts> fresh_;
  std::uint64_t vanished_ = 0;
  std::map<std::tuple<Rule, Severity>, OfRule> rules_;
  SeenFaults faults_;
  std::vector<OfFile> worst_;
};

/// Number of files with each verdict: "3 conforming, 2 nonconforming".
[[nodiscard]] std::string verdicts_text(const RunSummary& summary);

/// Application and version of a created_by: "parquet-mr 1.8.1" for "parquet-mr version 1.8.1 (build ...)".
[[nodiscard]] std::string writer_name(std::string_view created_by);

}  // namespace parqproof
