#include <unistd.h>

#include <memory>
#include <optional>
#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/input/keys_file.hpp"
#include "conformance/cli/input/reading_failure.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rows/rows.hpp"

namespace parqproof::cli {
namespace {

struct Cat {
  std::string path;
  std::optional<std::uint64_t> footer_at;
  Keys keys;
  RowOptions options;
  bool physical = false;
};

void take_damaged(const std::string& word, RowOptions& options) {
  if (!word.empty() && word != "null") refuse("--skip-damaged: '" + word + "' is not null");
  options.damaged = word.empty() ? DamagedRows::left_out : DamagedRows::with_null;
}

void take_lookup(const std::string& text, RowOptions& options) {
  const std::size_t split = text.find('=');
  if (split == 0 || split == std::string::npos) refuse("--lookup: '" + text + "' is not COLUMN=VALUE");
  options.lookup = text;
}

void declare(Subcommand& sub, Cat& cat) {
  RowOptions& options = cat.options;
  sub.file(cat.path)
      .flag("--physical", cat.physical,
            "as stored: every group and repeated field under its own\n"
            "name, integers signed, byte arrays and INT96 as hex")
      .columns(options.columns)
      .range(
          "--rows",
          [&options](std::uint64_t first, std::uint64_t end) {
            options.first = first;
            options.end = end;
          },
          "rows A to B-1, counted from 0; either may be left out")
      .number("--limit", options.limit, "N", "max number of rows")
      .parsed(
          "--lookup", [&options](const std::string& text) { take_lookup(text, options); }, "COLUMN=VALUE",
          "the rows with this value of a leaf, found by the index pages\n"
          "of the 2013 format; stderr names the pages read")
      .word_or_none(
          "--skip-damaged", [&options](const std::string& word) { take_damaged(word, options); }, "[=null]",
          "leave out rows that lost a value to damage, and continue;\n"
          "--skip-damaged=null: write them with null for lost values")
      .flag("--ignore-crc", options.ignore_crc, "read pages despite a wrong checksum")
      .footer_at(cat.footer_at)
      .keys([&cat](const std::string& path) { cat.keys = read_keys(path); })
      .limits(options.limits, "memory for all buffers together (default 8G)")
      .footer(R"(
Without --physical, values are shown by their logical types: text, dates, times, decimals with their scale, lists as
arrays, maps as arrays of {"key":..,"value":..}, geometries as WKT. Values out of range for these (a date after the
year 9999, a geometry that is no WKB) are shown as stored, text that is not UTF-8 as {"hex":".."}.
Output ends at the first row that cannot be assembled; stderr has the reason. With --skip-damaged it continues: a
damaged page costs its rows, which stderr counts, with the page and the cause. With --skip-damaged=null the top-level
field of a lost value is null. Rows whose values contradict the statistics are written; stderr counts those of pages
without checksum, which may be wrong.
With --lookup, COLUMN is the dotted path of a leaf and VALUE is written as in the rows, without quotes. The index by
values leads to the rows, and the indexes of the other columns lead to their pages; a column without an index is read
from its first page on. --rows and --limit select from the rows found. Nulls are not found, nor are rows hidden by a
wrong key: `parqproof check --profile historical` checks the keys.
Exit code: 0 all rows are written; 1 a rule is broken; 2 something could not be read: encrypted, unsupported, a limit,
or no index pages for --lookup.

Examples:
  parqproof cat a.parquet | head
  parqproof cat --columns id,address.city --rows 1000:1010 a.parquet
  parqproof cat --lookup id=1234 a.parquet
  parqproof cat --physical --limit 1 a.parquet | jq .
  parqproof cat --skip-damaged damaged.parquet > rows.jsonl)");
}

/// Prints to stderr what is missing in the rows, with the causes.
void explain_left_out(const std::string& path, const RowsOutcome& outcome) {
  if (outcome.wrong_checksums != 0)
    complain(path + ": read " + counted(outcome.wrong_checksums, "page") + " despite a wrong checksum");
  describe(outcome.left_out, [&path](const std::string& line, bool is_part) {
    complain((is_part ? "  " : path + ": ") + line);
  });
}

/// Exit code when rows were written. Statistics that contradict rows are a fault of damaged rows alone: the
/// writer may have computed them wrongly.
int code_of(const LeftOut& left_out, DamagedRows damaged) {
  const bool is_contradicted = damaged != DamagedRows::end && !left_out.contradicted.empty();
  if (!left_out.any()) return is_contradicted ? kBroken : kFine;
  return left_out.is_broken || is_contradicted ? kBroken : kCouldNotRun;
}

int run(const Cat& cat) {
  if (!cat.options.lookup.empty() && cat.options.damaged != DamagedRows::end)
    return could_not_run("--lookup and --skip-damaged exclude each other");
  std::string why;
  const FooterInput input = open_input(cat.path, cat.footer_at, cat.keys, why);
  if (input.file == nullptr) return could_not_run(cat.path + ": " + why);
  Out out(STDOUT_FILENO);
  ReadingFailure failure;
  RowOptions options = cat.options;
  if (cat.physical) options.view = RowView::physical;
  options.cancelled = &cancelled();
  options.on_lookup = [](const std::string& line) { complain("lookup: " + line); };
  const std::unique_ptr<Folder> folder = cat.path == kStandardInput ? nullptr : Folder::of(cat.path, why);
  options.folder = folder.get();
  const RowsOutcome outcome = write_rows(input.source(), options, out, failure);
  out.flush();
  if (!out.closed()) explain_left_out(cat.path, outcome);
  switch (outcome.end) {
    case RowsEnd::complete:
      break;
    case RowsEnd::cancelled:
      return finish(out, kCouldNotRun);
    case RowsEnd::no_column:
      complain(cat.path + ": no column or group is named '" + outcome.column + "'");
      return finish(out, kCouldNotRun);
    case RowsEnd::no_lookup:
      complain(cat.path + ": " + outcome.why);
      return finish(out, kCouldNotRun);
    case RowsEnd::failed:
      explain_failure(outcome.file.empty() ? cat.path : outcome.file, failure, outcome.column,
                      "the rows end here");
      return finish(out, failure.broken() ? kBroken : kCouldNotRun);
  }
  return finish(out, code_of(outcome.left_out, cat.options.damaged));
}

}  // namespace

void add_cat(CommandLine& line) {
  line.add<Cat>("cat", "the rows as JSON Lines: one object a row, keys in schema order", declare, run);
}

}  // namespace parqproof::cli
