#include "conformance/report/words/cause_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

constexpr const char* kRed = "1;31";
constexpr const char* kYellow = "1;33";
constexpr const char* kBlue = "1;34";
constexpr const char* kGreen = "1;32";

/// The text as a link of a terminal (OSC 8), if `wanted`.
std::string link_text(std::string_view text, const std::string& url, bool wanted) {
  return wanted ? fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", url, text) : std::string(text);
}

/// Max names and ranges in one line; further ones are counted.
constexpr std::size_t kListed = 8;

/// The first of `parts`, and the number of the others.
std::string list_text(std::vector<std::string> parts) {
  const std::size_t all = parts.size();
  parts.resize(std::min(all, kListed));
  return joined(parts, all - parts.size());
}

/// "row group 3", or "1001 row groups: 0 to 1000"; empty if there is none.
std::string row_groups_text(const std::vector<std::int32_t>& row_groups) {
  if (row_groups.empty()) return {};
  if (row_groups.size() == 1) return fmt::format("row group {}", row_groups.front());
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < row_groups.size();) {
    std::size_t last = i;
    while (last + 1 < row_groups.size() && row_groups[last + 1] == row_groups[last] + 1) ++last;
    ranges.push_back(i == last ? std::to_string(row_groups[i])
                               : fmt::format("{} to {}", row_groups[i], row_groups[last]));
    i = last + 1;
  }
  return counted(row_groups.size(), "row group") + ": " + list_text(ranges);
}

/// "column a (leaf 0)", or "2 columns: a (leaf 0), b (leaf 1)"; empty if there is none.
std::string columns_text(const std::vector<Cause::Column>& columns) {
  std::vector<std::string> names;
  for (const Cause::Column& column : columns) {
    if (column.leaf < 0 && column.column.empty()) continue;
    std::string name = printable(column.column);
    if (column.leaf >= 0) name += fmt::format("{}(leaf {})", name.empty() ? "" : " ", column.leaf);
    names.push_back(std::move(name));
  }
  if (names.empty()) return {};
  return (names.size() == 1 ? std::string("column ") : counted(names.size(), "column") + ": ") +
         list_text(names);
}

std::string state_text(const std::optional<bool>& known) {
  return known ? (*known ? "  (known)" : "  (new)") : "";
}

/// Comparison of a cause with a baseline.
std::string state_text(const Cause& cause) {
  const std::string fresh = new_columns_text(cause);
  return fresh.empty() ? state_text(cause.first.front().known) : "  (new in " + fresh + ")";
}

/// The first writers of a comma-separated list, and the number of the others.
std::string seen_in_text(std::string_view writers) {
  std::vector<std::string> names;
  while (!writers.empty()) {
    const std::size_t comma = writers.find(", ");
    names.emplace_back(writers.substr(0, comma));
    writers.remove_prefix(comma == writers.npos ? writers.size() : comma + 2);
  }
  return list_text(names);
}

/// Follows values that other places of a cause do not have.
constexpr const char* kAtFirstPlace = " (at the first place)";

/// The lines of a block; the constructor writes the one with the rule.
class Block {
 public:
  /// `state` follows the rule; it may be empty.
  Block(Out& out, const ReportedFinding& reported, const std::string& state, const std::string& what,
        bool fancy)
      : out_(out), rule_(info(reported.finding.rule)), fancy_(fancy) {
    out << "\n"
        << paint(fmt::format("{:<{}}", to_string(reported.severity), kLabelColumns),
                 colour_of(reported.severity), fancy)
        << paint(rule_.id, kBold, fancy) << state << "\n";
    line("what", printable(what));
  }

  void line(std::string_view label, std::string_view text) {
    if (!text.empty()) out_ << labelled(label, text);
  }

  /// The consequences, rule by rule.
  void follows(const std::vector<Consequence>& all) {
    std::string_view label = "follows";
    for (const std::string& one : follow_texts(all)) {
      line(label, one);
      label = "";
    }
  }

  /// The bytes, if requested.
  void bytes(const ReportedFinding& reported) {
    std::string_view text = reported.excerpt;
    if (!text.empty()) out_ << "\n";
    while (!text.empty()) {
      const std::size_t end = text.find('\n') + 1;
      out_ << "    " << text.substr(0, end);
      text.remove_prefix(end);
    }
    if (!reported.excerpt.empty()) out_ << "\n";
  }

  /// Clause, harm and fix of the rule, and known bugs of the writer.
  void rule(Rule rule, const std::vector<const KnownBug*>& bugs) {
    out_ << fmt::format("  {:<{}}{}\n", "clause", kLabelColumns - 2,
                        link_text(rule_.clause, clause_url(rule_), fancy_));
    line("harm", rule_.harm);
    line("fix", rule_.fix);
    for (const KnownBug* bug : bugs) line("known bug", bug->text());
    line("seen in", seen_in_text(seen_in(rule)));
  }

 private:
  Out& out_;
  const RuleInfo& rule_;
  bool fancy_;
};

void write_one(Out& out, const ReportedFinding& reported, const std::vector<Consequence>& consequences,
               bool fancy) {
  const Finding& finding = reported.finding;
  Block block(out, reported, state_text(reported.known), text_message(finding), fancy);
  block.line("in", place_text(finding.place, reported.column));
  block.line("field", printable(finding.field));
  block.line("at", bytes_text(finding));
  block.line("found", printable(grouped(finding.found)));
  block.line("expected", printable(grouped(finding.expected)));
  if (finding.times > 1) {
    const std::string_view where = !reported_once(finding.rule)   ? "{} in this column chunk"
                                   : finding.place.row_group >= 0 ? "in {} column chunks"
                                                                  : "in {} fields of the schema";
    block.line("times", fmt::format(fmt::runtime(where), grouped(finding.times)) + "; the first is shown");
  }
  block.follows(consequences);
  block.bytes(reported);
  block.rule(finding.rule, reported.bugs);
}

}  // namespace

std::string new_columns_text(const Cause& cause) {
  std::vector<Cause::Column> fresh;
  std::ranges::copy_if(cause.columns, std::back_inserter(fresh),
                       [](const Cause::Column& column) { return !column.known.value_or(true); });
  return fresh.size() == cause.columns.size() ? std::string() : columns_text(fresh);
}

std::string message_of(const Cause& cause) {
  return text_message(cause.first.front().finding) + (cause.differs ? kAtFirstPlace : "");
}

std::vector<const Cause*> causes_by_severity(const FileReport& file) {
  std::vector<const Cause*> causes;
  causes.reserve(file.causes.size());
  for (const Cause& cause : file.causes) causes.push_back(&cause);
  std::ranges::stable_sort(causes, {}, &Cause::severity);
  return causes;
}

const char* colour_of(Severity severity) {
  return severity == Severity::error ? kRed : severity == Severity::warning ? kYellow : kBlue;
}

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::conforming:
      return kGreen;
    case Verdict::unsupported:
    case Verdict::limit:
      return kYellow;
    default:
      return kRed;
  }
}

std::string paint(std::string_view text, const char* colour, bool wanted) {
  return wanted ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
}

void write_finding(Out& out, const ReportedFinding& reported, bool fancy) {
  write_one(out, reported, {}, fancy);
}

void write_cause(Out& out, const Cause& cause, bool fancy) {
  if (cause.findings == 1) {
    write_one(out, cause.first.front(), cause.consequences, fancy);
    return;
  }
  const Finding& first = cause.first.front().finding;
  Block block(out, cause.first.front(), state_text(cause), message_of(cause), fancy);
  const std::string row_groups = row_groups_text(cause.row_groups);
  const std::string columns = columns_text(cause.columns);
  block.line("in", row_groups + (row_groups.empty() || columns.empty() ? "" : "; ") + columns);
  block.line("field", printable(cause.field));
  std::string places = counted(cause.findings, "place");
  if (cause.times != cause.findings) places += fmt::format(", {} in all", counted(cause.times, "finding"));
  block.line("at", places + (cause.findings > cause.first.size() ? "; the first are" : ""));
  for (const ReportedFinding& one : cause.first)
    block.line("", with_place(place_text(one.finding.place, one.column), bytes_text(one.finding)));
  const char* const where = cause.differs ? kAtFirstPlace : "";
  block.line("found", first.found.empty() ? "" : printable(plain_text(first.found)) + where);
  block.line("expected", first.expected.empty() ? "" : printable(plain_text(first.expected)) + where);
  block.follows(cause.consequences);
  for (const ReportedFinding& one : cause.first) block.bytes(one);
  block.rule(cause.rule(), cause.bugs);
}

}  // namespace parqproof
