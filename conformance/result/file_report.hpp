#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/editions.hpp"
#include "codec/rules/finding.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/policy/profiles.hpp"

namespace parqproof {

struct KnownBug;

/// The result of a check: the first that applies of unreadable, malformed, nonconforming, limit, unsupported
/// and conforming.
enum class Verdict : std::uint8_t { conforming, unsupported, limit, nonconforming, malformed, unreadable };

[[nodiscard]] const char* to_string(Verdict verdict) noexcept;

/// A finding in the report, with the severity of its rule under the options.
struct ReportedFinding {
  Finding finding;
  Severity severity = Severity::error;
  std::string column;         ///< dotted path of the leaf, if any
  std::optional<bool> known;  ///< with a baseline: it has such a finding
  /// malformed only if the finding loses data (see Losses); other findings of a malformed rule are invalid.
  Class klass = Class::invalid;
  std::vector<const KnownBug*> bugs;  ///< published bugs of the writer that can cause it
  std::string excerpt = {};           ///< its bytes as lines of text, if requested
};

/// Numbers of findings by severity, each as often as it occurs.
struct SeverityCounts {
  std::uint64_t error = 0;
  std::uint64_t warning = 0;
  std::uint64_t info = 0;

  [[nodiscard]] std::uint64_t& of(Severity severity) noexcept {
    return severity == Severity::error ? error : severity == Severity::warning ? warning : info;
  }
  void add(Severity severity, std::uint64_t times) noexcept { of(severity) += times; }
  void subtract(Severity severity, std::uint64_t times) noexcept { of(severity) -= times; }
  [[nodiscard]] std::uint64_t total() const noexcept { return error + warning + info; }
};

/// Findings of one rule that another finding causes, reported only with that one.
struct Consequence {
  Rule rule{};
  Severity severity = Severity::error;
  std::uint64_t times = 0;
};

/// The findings of one cause, which have the same rule, field and form.
struct Cause {
  static constexpr std::size_t kPlaces = 5;  ///< max findings kept of each cause

  /// A column with such findings.
  struct Column {
    std::int32_t leaf = -1;
    std::string column;  ///< dotted path; empty if the findings have none
    std::uint64_t times = 0;
    std::optional<bool> known;  ///< with a baseline: it has these findings
  };

  std::string field;                     ///< general_field() of all findings
  std::uint64_t findings = 0;            ///< number of different places
  std::uint64_t times = 0;               ///< number of findings, each as often as it occurs
  std::vector<ReportedFinding> first;    ///< in file order; at least one
  std::vector<std::int32_t> row_groups;  ///< their row groups, each once, in order
  std::vector<Column> columns;           ///< by leaf
  std::vector<const KnownBug*> bugs;     ///< of all findings, each once
  bool listed = false;                   ///< at least one finding is listed
  bool differs = false;                  ///< found or expected are not the same at all places
  /// Findings that this cause explains in a file damaged as one piece, for example by a text-mode copy. They
  /// are counted only here; errors come first, then the most frequent.
  std::vector<Consequence> consequences = {};

  /// Returns true if a baseline has all of its findings.
  [[nodiscard]] bool is_known() const noexcept {
    return first.front().known.value_or(false) &&
           std::ranges::all_of(columns, [](const Column& column) { return column.known.value_or(true); });
  }
  [[nodiscard]] Rule rule() const noexcept { return first.front().finding.rule; }
  [[nodiscard]] Severity severity() const noexcept { return first.front().severity; }
};

/// The key by which findings of a baseline and of this report are matched.
struct FindingKey {
  std::string rule;
  std::string column;
  std::string field;  ///< general_field()

  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
};

/// The comparison of a file with a baseline.
struct Compared {
  SeverityCounts fresh;  ///< findings whose keys the baseline does not have
  std::vector<FindingKey> vanished;
};

/// A part of the file that was not checked, and the reason.
struct NotRun {
  std::string what;
  std::string why;
  Place place;
  std::string column;
  bool by_choice = false;              ///< requested by an option; the file can still be conforming
  std::optional<Rule> caused_by = {};  ///< rule of the finding of which this entry is a consequence
};

/// Rows of a file from 0, including the last.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// The parts that corruption can lose: by the error recovery section of the specification a page, the rest of
/// a chunk, a column chunk or the file; also an index or a filter.
enum class LostPart : std::uint8_t {
  page,
  pages,  ///< one or more pages up to the next readable one
  rest_of_chunk,
  column_chunk,
  file,
  column_index,
  offset_index,
  bloom_filter,
};

/// Returns the part in words: "rest of chunk".
[[nodiscard]] const char* to_string(LostPart part) noexcept;

/// A part that corruption has lost.
struct Lost {
  LostPart what{};
  Place place;
  std::string column = {};
  std::optional<Rule> cause = {};     ///< the rule that shows the loss, if it does not lose data by itself
  std::optional<RowRange> rows = {};  ///< rows without a value, if known
  std::uint64_t next_page = 0;        ///< of LostPart::pages: offset of the next readable page

  /// Returns true for a loss of rows, false for that of an index or a filter.
  [[nodiscard]] bool is_of_data() const noexcept {
    return what != LostPart::column_index && what != LostPart::offset_index && what != LostPart::bloom_filter;
  }
};

/// Consecutive pages in a file whose footer is lost.
struct PageRun {
  std::uint64_t offset = 0;  ///< of the first header
  std::uint64_t length = 0;  ///< bytes to the end of the last body
  std::uint64_t data_pages = 0;
  std::uint64_t dictionary_pages = 0;
  std::uint64_t index_pages = 0;
  std::uint64_t values = 0;  ///< sum of num_values of the data pages
};

/// The check of the file that ends with an earlier footer.
struct FooterTrial {
  bool has_errors = false;              ///< of any rule
  std::uint64_t intact_row_groups = 0;  ///< without a loss or an error in their pages
  bool has_intact_rows = false;

  /// Returns true if all of its row groups are intact.
  [[nodiscard]] bool is_intact(std::uint64_t row_groups) const noexcept {
    return intact_row_groups == row_groups;
  }
};

/// A complete FileMetaData in a file whose own footer is lost.
struct CompleteFooter {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;                ///< of the struct and its signature
  std::optional<std::uint64_t> footer_at;  ///< end of its magic; nullopt if no length and magic follow it
  std::int64_t rows = 0;
  std::uint64_t row_groups = 0;
  /// Of the bytes up to it, and its length and magic. Not set if the trials before it have read too much.
  std::optional<FooterTrial> trial = {};

  /// Returns true if a trial has shown that the bytes up to it are a file without errors.
  [[nodiscard]] bool is_complete_file() const noexcept {
    return trial && !trial->has_errors && trial->is_intact(row_groups);
  }
};

/// The readable start of a truncated FileMetaData in a file whose own footer is lost.
struct CutFooter {
  static constexpr std::size_t kListed = 100;  ///< max columns kept

  std::uint64_t offset = 0;                 ///< of the struct
  std::uint64_t read_to = 0;                ///< offset of the first unreadable byte
  std::uint64_t columns_found = 0;          ///< leaves in the readable part of the schema
  std::vector<std::string> columns;         ///< dotted path and type of the first kListed
  bool complete_schema = false;             ///< all elements of the schema are readable
  std::optional<std::int64_t> rows;         ///< num_rows, if readable
  std::optional<std::uint64_t> row_groups;  ///< length of the list, if readable
  std::uint64_t complete_row_groups = 0;    ///< row groups that are completely readable
  std::int64_t rows_of_complete_row_groups = 0;
};

/// The result of a search in a file whose footer is lost.
struct Remains {
  static constexpr std::size_t kListed = 100;  ///< max runs and footers kept

  std::uint64_t searched_to = 0;  ///< less than the file size if the search stopped early
  PageRun pages;                  ///< totals of all runs, from the first to the end of the last
  std::uint64_t runs_found = 0;
  std::vector<PageRun> runs;  ///< the first kListed, in file order
  std::uint64_t footers_found = 0;
  std::vector<CompleteFooter> footers;  ///< the last kListed, in file order
  std::optional<CutFooter> cut_footer;  ///< the one with the longest readable part, if none is complete
};

/// A command that helps with a damaged file.
struct NextStep {
  std::string what;     ///< its result
  std::string command;  ///< one line for a shell
};

/// Results about a damaged file.
struct Salvage {
  std::optional<Remains> remains;  ///< if the footer is lost and a search was made
  std::vector<NextStep> next;      ///< for a damaged file, the most useful first
  /// What was tried, if nothing explains the damage: the errors are symptoms.
  std::vector<std::string_view> tried;
};

/// The requirements that a file was checked against.
struct Basis {
  Profile profile = Profile::strict;
  Edition edition = kReleasedEdition;
};

/// The report on one file.
struct FileReport : Salvage {
  std::string path;
  std::string relative;  ///< path below the searched directory; empty for a file named on the command line
  std::string named_by;  ///< the file whose column chunks reference this one, if it was opened for them
  Verdict verdict = Verdict::conforming;
  Tier tier = Tier::values;
  Basis basis;
  std::optional<std::uint64_t> size;
  std::optional<std::string> created_by;  ///< bytes in the footer
  std::optional<std::int64_t> rows;       ///< num_rows of FileMetaData
  std::uint64_t row_groups = 0;
  std::uint64_t columns = 0;    ///< leaves of the schema
  std::uint64_t pages = 0;      ///< page headers read
  std::uint64_t checksums = 0;  ///< pages with a crc
  std::uint64_t values = 0;     ///< entries (levels or values) decoded
  std::uint64_t bytes = 0;      ///< bytes of the file that were read and checked
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::optional<std::uint64_t> footer_at;  ///< end of the requested footer
  /// In file order, at most the requested number: errors before warnings before infos, and in each severity
  /// the first finding of every rule before the second of any.
  std::vector<ReportedFinding> findings;
  std::vector<Cause> causes;         ///< of all findings, listed or not; in file order of their first finding
  std::vector<std::size_t> ignored;  ///< ordinals of the CheckOptions::ignores that were used
  SeverityCounts counts;             ///< all findings, listed or not
  SeverityCounts omitted;            ///< findings that are not listed
  bool failed_on_warning = false;    ///< --fail-on warning applies, and there is a warning
  std::optional<Compared> compared;  ///< with a baseline

  /// Returns true if there are more findings than listed.
  [[nodiscard]] bool truncated() const noexcept { return omitted.total() != 0; }
};

/// Returns the exit code of `check` for one file: 0, 1 or 2. A tolerated verdict counts as conforming.
[[nodiscard]] int exit_code(const FileReport& report, std::span<const Verdict> tolerated = {}) noexcept;

}  // namespace parqproof
