#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/rules/finding.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/policy/profiles.hpp"

namespace parqproof {

struct KnownBug;

/// What a check ends with; the worst that applies, in the order unreadable, malformed, nonconforming, limit,
/// unsupported.
enum class Verdict : std::uint8_t { conforming, unsupported, limit, nonconforming, malformed, unreadable };

[[nodiscard]] const char* to_string(Verdict verdict) noexcept;

/// A finding as the report shows it: with the severity that the options give its rule.
struct ReportedFinding {
  Finding finding;
  Severity severity = Severity::error;
  std::string column;         ///< dotted path of the leaf, if the finding has one
  std::optional<bool> known;  ///< against a baseline: whether a former report has such a finding
  /// malformed where something is lost by it: see Losses. Else a fault of a rule of class malformed is one
  /// beside which all can be decoded, and the finding is of class invalid.
  Class klass = Class::invalid;
  std::vector<const KnownBug*> bugs;  ///< published bugs of the writer that it may come from
  std::string excerpt = {};           ///< its bytes as lines of text, where somebody has asked for them
};

/// Numbers of findings, each as often as it occurs.
struct SeverityCounts {
  std::uint64_t error = 0;
  std::uint64_t warning = 0;
  std::uint64_t info = 0;

  [[nodiscard]] std::uint64_t& of(Severity severity) noexcept {
    return severity == Severity::error ? error : severity == Severity::warning ? warning : info;
  }
  void add(Severity severity, std::uint64_t times) noexcept { of(severity) += times; }
  void take(Severity severity, std::uint64_t times) noexcept { of(severity) -= times; }
  [[nodiscard]] std::uint64_t total() const noexcept { return error + warning + info; }
};

/// Findings of one rule that have another finding as their cause, and are told with it alone.
struct Consequence {
  Rule rule{};
  Severity severity = Severity::error;
  std::uint64_t times = 0;
};

/// The findings of one cause: of one rule, field and kind.
struct Cause {
  static constexpr std::size_t kPlaces = 5;  ///< findings that are kept of each cause at most

  /// A column that has such findings.
  struct Column {
    std::int32_t leaf = -1;
    std::string column;  ///< dotted path; empty where the findings have none
    std::uint64_t times = 0;
    std::optional<bool> known;  ///< against a baseline
  };

  std::string field;                     ///< general_field() of them all
  std::uint64_t findings = 0;            ///< how many there are: places that differ
  std::uint64_t times = 0;               ///< each as often as it occurs
  std::vector<ReportedFinding> first;    ///< in file order; one at least
  std::vector<std::int32_t> row_groups;  ///< those that they stand in, each once, in order
  std::vector<Column> columns;           ///< by leaf
  std::vector<const KnownBug*> bugs;     ///< of all findings, each once
  bool listed = false;                   ///< one of them at least is among those listed
  /// Where the file was mangled as a whole, and this says so: what is wrong with the file as it is by that
  /// alone. It is counted nowhere else. Errors first, the most frequent first.
  std::vector<Consequence> consequences = {};

  [[nodiscard]] Rule rule() const noexcept { return first.front().finding.rule; }
  [[nodiscard]] Severity severity() const noexcept { return first.front().severity; }
};

/// What a baseline and a report of today have in common, and what not.
struct FindingKey {
  std::string rule;
  std::string column;
  std::string field;  ///< general_field()

  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
};

/// A file held against a former report.
struct Compared {
  SeverityCounts fresh;  ///< findings of keys that the former report does not have
  std::vector<FindingKey> vanished;
};

/// Something that was not looked at, and the reason.
struct NotRun {
  std::string what;
  std::string why;
  Place place;
  std::string column;
  bool by_choice = false;  ///< asked for by an option; it keeps no file from being conforming
};

/// Rows of a file, counted from 0, the last included.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What damage can take away: by the format's four promises a page, the rest of a chunk from a page on, a
/// column chunk, the file; and beside the data an index or a filter.
enum class LostPart : std::uint8_t {
  page,
  pages,  ///< from a page on up to the next that can be read: one, or several
  rest_of_chunk,
  column_chunk,
  file,
  column_index,
  offset_index,
  bloom_filter,
};

/// In words: "rest of chunk".
[[nodiscard]] const char* to_string(LostPart part) noexcept;

/// Something that damage has taken away.
struct Lost {
  LostPart what{};
  Place place;
  std::string column = {};
  std::optional<Rule> cause = {};     ///< where a rule is broken by it that by itself takes nothing away
  std::optional<RowRange> rows = {};  ///< that lack a value, where they are known
  std::uint64_t next_page = 0;        ///< of LostPart::pages: where the next one begins
};

/// Page headers that stand one behind the other, bodies between them, in a file whose footer is lost.
struct PageRun {
  std::uint64_t offset = 0;  ///< of the first header in the file
  std::uint64_t length = 0;  ///< bytes to the end of the last body
  std::uint64_t data_pages = 0;
  std::uint64_t dictionary_pages = 0;
  std::uint64_t index_pages = 0;
  std::uint64_t values = 0;  ///< entries of the data pages, as their headers say
};

/// A FileMetaData that can be read from its first byte to its last, in a file whose own footer is lost.
struct CompleteFooter {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;                ///< bytes of the struct, and of its signature
  std::optional<std::uint64_t> footer_at;  ///< behind its magic; absent where no length and magic follow it
  std::int64_t rows = 0;
  std::uint64_t row_groups = 0;
};

/// What can be read of a FileMetaData from its first byte on, in a file whose own footer is lost.
struct CutFooter {
  static constexpr std::size_t kListed = 100;  ///< columns that are kept at most

  std::uint64_t offset = 0;                 ///< of the struct
  std::uint64_t read_to = 0;                ///< the first byte that cannot be read
  std::uint64_t columns_found = 0;          ///< leaves of the schema, as far as it goes
  std::vector<std::string> columns;         ///< the first ones: dotted path and type
  bool complete_schema = false;             ///< all elements of the schema can be read
  std::optional<std::int64_t> rows;         ///< num_rows, if that is still there
  std::optional<std::uint64_t> row_groups;  ///< that the list announces, if it is still there
  std::uint64_t complete_row_groups = 0;    ///< of them, those that can be read to their end
  std::int64_t rows_of_complete_row_groups = 0;
};

/// What a search has found in a file whose footer is lost.
struct Remains {
  static constexpr std::size_t kListed = 100;  ///< runs and footers that are kept at most

  std::uint64_t searched_to = 0;  ///< less than the size where the search was given up
  PageRun pages;                  ///< all runs together, from the first to the end of the last
  std::uint64_t runs_found = 0;
  std::vector<PageRun> runs;  ///< the first ones, in the order of the file
  std::uint64_t footers_found = 0;
  std::vector<CompleteFooter> footers;  ///< the last ones, in the order of the file
  std::optional<CutFooter> cut_footer;  ///< the one of which most can be read, where none is whole
};

/// What can be done with a damaged file.
struct NextStep {
  std::string what;     ///< that comes of it
  std::string command;  ///< for a shell, on one line
};

/// What is left of a damaged file.
struct Salvage {
  std::optional<Remains> remains;  ///< where the footer is lost and a search was made
  std::vector<NextStep> next;      ///< where something is damaged, the most useful first
};

/// Everything that one file's check has to say.
struct FileReport : Salvage {
  std::string path;
  std::string relative;  ///< the path below the directory that was searched; empty for a file that was named
  std::string named_by;  ///< the file whose column chunks name this one, where it was opened for them
  Verdict verdict = Verdict::conforming;
  Tier tier = Tier::values;
  Profile profile = Profile::strict;
  std::optional<std::uint64_t> size;
  std::optional<std::string> created_by;  ///< bytes as they stand in the footer
  std::optional<std::int64_t> rows;       ///< as FileMetaData states it
  std::uint64_t row_groups = 0;
  std::uint64_t columns = 0;  ///< leaves of the schema
  std::uint64_t pages = 0;    ///< page headers read
  std::uint64_t values = 0;   ///< entries (levels or values) decoded
  std::uint64_t bytes = 0;    ///< bytes of the file that were read and judged
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::optional<std::uint64_t> footer_at;  ///< the footer that was asked for ends there
  /// In file order, at most the limit asked for: errors before warnings before infos, and of each kind the
  /// first of every rule before the second of any.
  std::vector<ReportedFinding> findings;
  std::vector<Cause> causes;         ///< of all findings, listed or not; in file order of the first of each
  std::vector<std::size_t> ignored;  ///< CheckOptions::ignores that left something out, by ordinal
  SeverityCounts counts;             ///< all findings, listed or not
  SeverityCounts omitted;            ///< those that are not listed
  bool failed_on_warning = false;    ///< --fail-on warning was asked for and there is one that counts
  std::optional<Compared> compared;  ///< with a baseline

  /// There are more findings than listed.
  [[nodiscard]] bool truncated() const noexcept { return omitted.total() != 0; }
};

/// The exit code of `check` for one file: 0, 1 or 2. A file with a tolerated verdict counts as conforming.
[[nodiscard]] int exit_code(const FileReport& report, std::span<const Verdict> tolerated = {}) noexcept;

}  // namespace parqproof
