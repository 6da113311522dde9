#include <unistd.h>

#include <charconv>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/rows/rows.hpp"

namespace parqproof::cli {
namespace {

struct Cat {
  std::string path;
  std::optional<std::uint64_t> footer_at;
  RowOptions options;
  bool physical = false;
};

/// Rows A:B, either of which may be left out.
void take_rows(const std::string& text, RowOptions& options) {
  const std::size_t colon = text.find(':');
  const auto bound = [&](const std::string& part, std::uint64_t& number) {
    const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    return part.empty() || (error == std::errc() && rest == part.data() + part.size());
  };
  if (colon == text.npos || !bound(text.substr(0, colon), options.first) ||
      !bound(text.substr(colon + 1), options.end)) {
    refuse("--rows: '" + text + "' is not A:B, whole numbers of 0 or more");
  }
}

/// Paths between commas.
void take_columns(const std::string& text, RowOptions& options) {
  std::istringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    if (part.empty()) refuse("--columns: '" + text + "' has an empty path");
    options.columns.push_back(part);
  }
}

void declare(Subcommand& sub, Cat& cat) {
  RowOptions& options = cat.options;
  sub.file(cat.path)
      .flag("--physical", cat.physical,
            "as stored: every group and repeated field under its own\nname, integers signed, byte arrays and "
            "INT96 as hex")
      .repeated(
          "--columns", [&options](const std::string& text) { take_columns(text, options); }, "PATHS",
          "these columns or groups alone: dotted paths with commas\nbetween them (may be repeated)")
      .parsed(
          "--rows", [&options](const std::string& text) { take_rows(text, options); }, "A:B",
          "from row A, counted from 0, up to but without row B;\neither may be left out")
      .number("--limit", options.limit, "N", "rows at most")
      .footer_at(cat.footer_at)
      .limits(options.limits, "memory for all buffers together (default 8G)")
      .footer(R"(
Without --physical, values are shown by their logical types: text, dates, times, decimals with their scale, lists as
arrays, maps as arrays of {"key":..,"value":..}. What does not fit its type (a date beyond the year 9999) is shown as
stored, text that is not UTF-8 as {"hex":".."}.
Output ends at the first row that cannot be assembled; stderr says why.
Exit code: 0 all rows are written; 1 a rule is broken; 2 something could not be read: encrypted, unsupported, a limit.

Examples:
  parqproof cat a.parquet | head
  parqproof cat --columns id,address.city --rows 1000:1010 a.parquet
  parqproof cat --physical --limit 1 a.parquet | jq .)");
}

/// Says on stderr why the rows end.
void explain_failure(const std::string& path, const ReadingFailure& failure, const std::string& column) {
  const Finding* const finding = failure.finding();
  if (finding == nullptr) {
    complain(path + ": " + failure.why());
    return;
  }
  complain(path + ": the rows end here:");
  Out err(STDERR_FILENO);
  write_finding(err, {*finding, info(finding->rule).severity, column, {}, {}, {}, {}}, false);
}

int run(const Cat& cat) {
  std::string why;
  const FooterInput input = open_input(cat.path, cat.footer_at, why);
  if (input.whole == nullptr) {
    complain(cat.path + ": " + why);
    return kCouldNotRun;
  }
  Out out(STDOUT_FILENO);
  ReadingFailure failure;
  RowOptions options = cat.options;
  if (cat.physical) options.view = RowView::physical;
  options.cancelled = &cancelled();
  const std::unique_ptr<Folder> folder = cat.path == kStandardInput ? nullptr : Folder::of(cat.path, why);
  options.folder = folder.get();
  const RowsOutcome outcome = write_rows(input.source(), options, out, failure);
  out.flush();
  switch (outcome.end) {
    case RowsEnd::whole:
      break;
    case RowsEnd::cancelled:
      return finish(out, kCouldNotRun);
    case RowsEnd::no_column:
      complain(cat.path + ": no column or group is called '" + outcome.column + "'");
      return finish(out, kCouldNotRun);
    case RowsEnd::failed:
      explain_failure(outcome.file.empty() ? cat.path : outcome.file, failure, outcome.column);
      return finish(out, failure.broken() ? kBroken : kCouldNotRun);
  }
  return finish(out, kFine);
}

}  // namespace

void add_cat(CommandLine& line) {
  line.add("cat", "the rows as JSON Lines: one object a row, keys in schema order", declare, run);
}

}  // namespace parqproof::cli
