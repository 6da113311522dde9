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

/// What an option or a configuration switched about what is judged. What does not apply is empty.
struct Change {
  std::string by = {};        ///< the option, or "configuration"
  std::string rule = {};      ///< a pattern of rules
  std::string severity = {};  ///< error, warning, info, off; empty: these rules alone are judged (--only)
  std::vector<std::string> paths = {};    ///< the files that are meant; empty: all
  std::vector<std::string> writers = {};  ///< the writers that are meant; empty: all
  std::string reason = {};
  std::string profile = {};
  std::string tolerate = {};
};

/// Tells files apart whose faults no file before them has.
class SeenFaults {
 public:
  /// Whether a file before this one has the same verdict and breaks the same rules.
  [[nodiscard]] bool has(const FileReport& file);

 private:
  static constexpr std::size_t kCounted = 10'000;  ///< beyond these they are not told apart

  std::set<std::string> seen_;
};

/// What a run over files came to, rule by rule. Its memory does not grow with the number of files.
class RunSummary {
 public:
  static constexpr std::size_t kWriters = 20;             ///< writers of a rule that are named
  static constexpr std::size_t kWritersCounted = 10'000;  ///< beyond these they are not told apart

  /// The findings of one rule in all files.
  struct OfRule {
    Rule rule{};
    Severity severity = Severity::error;
    std::uint64_t findings = 0;  ///< each as often as it occurs
    std::uint64_t files = 0;
    std::vector<std::string> writers;  ///< application and version, in the order in which they were met
    std::set<std::size_t> met;         ///< hashes of them all
    std::string path;                  ///< of the first finding
    ReportedFinding first;

    /// Writers that are not named.
    [[nodiscard]] std::size_t more_writers() const noexcept { return met.size() - writers.size(); }
  };

  /// A file that is not conforming.
  struct OfFile {
    std::string path;
    Verdict verdict = Verdict::conforming;
    bool seen = false;         ///< a file before it has the same faults
    std::optional<Rule> rule;  ///< the first of those that are errors, else of all
    std::uint64_t more_rules = 0;
  };
  static constexpr std::size_t kFiles = 20;  ///< that are named

  RunSummary() = default;
  explicit RunSummary(std::vector<Change> changes) : changes_(std::move(changes)) {}

  void add(const FileReport& file);

  [[nodiscard]] const std::vector<Change>& changes() const noexcept { return changes_; }
  [[nodiscard]] std::uint64_t files() const noexcept { return files_; }
  [[nodiscard]] const std::map<Verdict, std::uint64_t>& verdicts() const noexcept { return verdicts_; }
  [[nodiscard]] const SeverityCounts& counts() const noexcept { return counts_; }
  /// With a baseline: what is new, and how much has vanished.
  [[nodiscard]] const std::optional<SeverityCounts>& fresh() const noexcept { return fresh_; }
  [[nodiscard]] std::uint64_t vanished() const noexcept { return vanished_; }
  /// Those that are worst: by verdict, and of each first those whose faults no file before them has.
  [[nodiscard]] const std::vector<OfFile>& worst() const noexcept { return worst_; }
  /// Errors first, then warnings, then infos; of each the most frequent first.
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

/// How many files have each verdict: "3 conforming, 2 nonconforming".
[[nodiscard]] std::string verdicts_text(const RunSummary& summary);

/// Application and version of a created_by: "parquet-mr 1.8.1" of "parquet-mr version 1.8.1 (build ...)".
[[nodiscard]] std::string writer_name(std::string_view created_by);

}  // namespace parqproof
