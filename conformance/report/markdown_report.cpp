#include "conformance/report/markdown_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codec/rules/rule.hpp"
#include "conformance/report/clause_url.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/wording.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kRuleBytes = 30'000;  ///< of the table of rules; the rest is left to files
constexpr std::size_t kCauses = 20;         ///< of a file that are told at most
constexpr std::size_t kLongest = 500;       ///< bytes of a text that comes from a file

/// Text from a file as code: nothing in it is a link, a name of a person, or a mark. Backticks would end the
/// code and become quotes; a bar would end the cell of a table.
std::string code(std::string_view text) {
  std::string safe = printable(text.substr(0, kLongest));
  if (text.size() > kLongest) safe += "...";
  std::string out = "`";
  for (const char letter : safe) {
    out += letter == '`' ? '\'' : letter;
  }
  return out == "`" ? "" : out + "`";
}

/// The same in a cell of a table, which a bar would end.
std::string cell(std::string_view text) {
  std::string out;
  for (const char letter : code(text)) out += letter == '|' ? "\\|" : std::string(1, letter);
  return out;
}

std::string rule_link(Rule rule) { return fmt::format("[`{}`]({})", info(rule).id, clause_url(info(rule))); }

const char* mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::conforming:
      return "✅";
    case Verdict::unsupported:
    case Verdict::limit:
      return "⚠️";
    default:
      return "❌";
  }
}

std::string place_of(const ReportedFinding& reported) {
  const std::string place = place_text(reported.finding.place, reported.column);
  return place.empty() ? bytes_text(reported.finding) : code(place) + ", " + bytes_text(reported.finding);
}

std::string cause_item(const Cause& cause) {
  const ReportedFinding& first = cause.first.front();
  std::string text = fmt::format("- **{}** {}: {}  \n  {}", to_string(cause.severity()),
                                 rule_link(cause.rule()), code(text_message(first.finding)), place_of(first));
  if (cause.findings > 1) text += fmt::format(", and {} more", counted(cause.findings - 1, "place"));
  return text + fmt::format("  \n  {} **Fix:** {}\n", info(cause.rule()).harm, info(cause.rule()).fix);
}

std::string file_section(const FileReport& file) {
  std::string text = fmt::format("<details><summary>{} <code>", mark_of(file.verdict));
  for (const char letter : printable(file.path).substr(0, kLongest)) {
    text += letter == '<'   ? "&lt;"
            : letter == '>' ? "&gt;"
            : letter == '&' ? "&amp;"
                            : std::string(1, letter);
  }
  text += fmt::format("</code>: {}, {}, {}</summary>\n\n", to_string(file.verdict),
                      counted(file.counts.error, "error"), counted(file.counts.warning, "warning"));
  if (file.created_by) text += fmt::format("Written by {}\n\n", code(*file.created_by));
  std::size_t told = 0;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
    for (const Cause& cause : file.causes) {
      if (cause.severity() == severity && told++ < kCauses) text += cause_item(cause);
    }
  }
  if (told > kCauses) text += fmt::format("- and {} more\n", counted(told - kCauses, "cause"));
  for (const NotRun& skipped : file.not_run) {
    if (skipped.by_choice) continue;
    text += fmt::format("- **not run**: {}: {}\n", code(skipped.what), code(skipped.why));
    break;
  }
  return text + "\n</details>\n\n";
}

std::string rule_row(const RunSummary::OfRule& rule) {
  std::string writers;
  for (const std::string& writer : rule.writers) writers += (writers.empty() ? "" : ", ") + cell(writer);
  if (rule.more_writers() != 0) writers += fmt::format(" and {} more", rule.more_writers());
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", to_string(rule.severity), rule_link(rule.rule),
                     grouped(rule.findings), grouped(rule.files), writers, cell(rule.path));
}

}  // namespace

void MarkdownReport::add(const FileReport& file, const Source* /*source*/) {
  if (extent_ == ReportExtent::summary) return;
  if (file.verdict == Verdict::conforming && file.counts.total() == 0) return;
  std::string section = file_section(file);
  if (files_.size() + section.size() > kBytes - kRuleBytes) {
    ++left_out_;
  } else {
    files_ += section;
  }
}

void MarkdownReport::end(const RunSummary& summary) {
  Verdict worst = Verdict::conforming;
  std::string verdicts;
  for (const auto& [verdict, count] : summary.verdicts()) {
    worst = std::max(worst, verdict);
    verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", grouped(count), to_string(verdict));
  }
  *out_ << fmt::format("### {} parqproof: {}: {}\n\n{}, {}.\n\n", mark_of(worst),
                       counted(summary.files(), "file"), verdicts, counted(summary.counts().error, "error"),
                       counted(summary.counts().warning, "warning"));
  if (!summary.rules().empty()) {
    *out_ << "| severity | rule | findings | files | writers | first in |\n| --- | --- | --: | --: | --- | "
             "--- |\n";
    std::size_t size = 0;
    std::size_t told = 0;
    for (const RunSummary::OfRule* rule : summary.rules()) {
      const std::string row = rule_row(*rule);
      size += row.size();
      if (size > kRuleBytes - 2000) break;
      *out_ << row;
      ++told;
    }
    *out_ << "\n";
    if (told < summary.rules().size())
      *out_ << fmt::format("{} more.\n\n", counted(summary.rules().size() - told, "rule"));
  }
  *out_ << files_;
  if (left_out_ != 0)
    *out_ << fmt::format("{} more: `parqproof check` tells all of them.\n\n", counted(left_out_, "file"));
  *out_ << fmt::format("<sub>parqproof {}, parquet-format {}</sub>\n", PARQPROOF_VERSION,
                       kSpecCommit.substr(0, 7));
}

}  // namespace parqproof
