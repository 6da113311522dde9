#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/report/ci_reports.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kRuleBytes = 30'000;  ///< max bytes of the table of rules; the rest is for files
constexpr std::size_t kCauses = 20;         ///< max causes of a file
constexpr std::size_t kMaxTextBytes = 500;  ///< max bytes of a text from a file

/// Formats printable() text as code, so that it cannot be a link, a mention or markup. Backticks would end
/// the code and become quotes; a bar would end the cell of a table.
std::string as_code(std::string text) {
  if (text.empty()) return text;
  std::ranges::replace(text, '`', '\'');
  return "`" + shortened(std::move(text), kMaxTextBytes) + "`";
}

/// Text from a file as code.
std::string code(std::string_view text) { return as_code(printable(text, kMaxTextBytes)); }

/// The same for a cell of a table, which a bar would end.
std::string cell(std::string_view text) {
  std::string out;
  for (const char letter : code(text)) out += letter == '|' ? "\\|" : std::string(1, letter);
  return out;
}

std::string rule_link(Rule rule) { return fmt::format("[`{}`]({})", info(rule).id, clause_url(info(rule))); }

constexpr const char* kWarning = "⚠️";

/// Returns true if there are errors, and a baseline has all of them.
bool has_only_known_errors(const FileReport& file) {
  return file.counts.error != 0 && file.compared && file.compared->fresh.error == 0;
}

const char* mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::conforming:
      return "✅";
    case Verdict::unsupported:
    case Verdict::limit:
      return kWarning;
    default:
      return "❌";
  }
}

std::string place_of(const ReportedFinding& reported) {
  const std::string place = place_text(reported.finding.place, reported.column);
  return place.empty() ? bytes_text(reported.finding) : as_code(place) + ", " + bytes_text(reported.finding);
}

std::string cause_item(const Cause& cause) {
  const ReportedFinding& first = cause.first.front();
  std::string text = fmt::format("- **{}**{} {}: {}  \n  {}", to_string(cause.severity()),
                                 cause.is_known() ? " (known)" : "", rule_link(cause.rule()),
                                 code(text_message(first.finding)), place_of(first));
  if (cause.findings > 1) text += fmt::format(", and {} more", counted(cause.findings - 1, "place"));
  if (const std::string fresh = new_columns_text(cause); !fresh.empty())
    text += "  \n  **New in** " + as_code(fresh);
  if (const std::string follows = follow_line(cause); !follows.empty())
    text += "  \n  **Follows:** " + follows;
  return text + fmt::format("  \n  {} **Fix:** {}\n", info(cause.rule()).harm, info(cause.rule()).fix);
}

/// A list below a title; a long one is folded.
std::string titled_list(const char* title, const std::vector<std::string>& items) {
  constexpr std::size_t kLong = 5;
  if (items.empty()) return {};
  std::string list;
  for (std::size_t i = 0; i < std::min(items.size(), kCauses); ++i) list += "- " + items[i] + "\n";
  if (items.size() > kCauses) list += fmt::format("- and {} more\n", grouped(items.size() - kCauses));
  if (items.size() <= kLong) return fmt::format("\n**{}**\n\n{}", title, list);
  return fmt::format("\n<details><summary>{}: {}</summary>\n\n{}\n</details>\n", title, grouped(items.size()),
                     list);
}

/// Commands to copy, each in a code block. No line of a command can end the block, because each begins with a
/// command name.
std::string next_section(const std::vector<NextStep>& steps) {
  std::string text;
  for (const NextStep& step : steps)
    text += fmt::format("{}:\n\n```sh\n{}\n```\n\n", step.what, step.command);
  return text.empty() ? text : "\n**Next**\n\n" + text;
}

/// Losses, remains, and next steps.
std::string damage_section(const FileReport& file) {
  std::vector<std::string> lost;
  for (const LossText& loss : loss_texts(file)) {
    const std::string where = loss.where.empty() ? "" : as_code(loss.where);
    lost.push_back(with_place(where + (loss.rows.empty() ? "" : " (" + loss.rows + ")"), loss.what));
  }
  std::vector<std::string> remains;
  if (file.remains) remains = remains_text(*file.remains);
  for (std::string& sentence : remains) sentence = as_code(std::move(sentence));
  return titled_list("Lost", lost) + titled_list("Recoverable", remains) + next_section(file.next);
}

std::string file_section(const FileReport& file) {
  const bool is_known = has_only_known_errors(file);
  std::string text = fmt::format("<details><summary>{} <code>", is_known ? kWarning : mark_of(file.verdict));
  for (const char letter : printable(file.path, kMaxTextBytes)) {
    text += letter == '<'   ? "&lt;"
            : letter == '>' ? "&gt;"
            : letter == '&' ? "&amp;"
                            : std::string(1, letter);
  }
  text += fmt::format("</code>: {}, {}{}, {}</summary>\n\n", to_string(file.verdict),
                      counted(file.counts.error, "error"), is_known ? ", all known" : "",
                      counted(file.counts.warning, "warning"));
  if (file.created_by) text += fmt::format("Written by {}\n\n", code(*file.created_by));
  for (const Cause* cause : causes_by_severity(file) | std::views::take(kCauses)) text += cause_item(*cause);
  if (file.causes.size() > kCauses)
    text += fmt::format("- and {} more\n", counted(file.causes.size() - kCauses, "cause"));
  for (const NotRun& skipped : file.not_run) {
    if (skipped.by_choice) continue;
    text += fmt::format("- **not run**: {}: {}\n", code(skipped.what), code(skipped.why));
    break;
  }
  return text + damage_section(file) + "\n</details>\n\n";
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
  if (file.counts.error != 0) (has_only_known_errors(file) ? has_known_ : has_new_) = true;
  if (extent_ == ReportExtent::summary) return;
  if (file.verdict == Verdict::conforming && file.counts.total() == 0) return;
  std::string section = file_section(file);
  if (section.size() > kBytes - kRuleBytes) {
    ++left_out_;
    return;
  }
  bytes_ += section.size();
  files_[{-static_cast<int>(file.verdict), faults_.has(file)}].push_back(std::move(section));
  while (bytes_ > kBytes - kRuleBytes) {
    const auto lowest = std::prev(files_.end());
    bytes_ -= lowest->second.back().size();
    lowest->second.pop_back();
    if (lowest->second.empty()) files_.erase(lowest);
    ++left_out_;
  }
}

void MarkdownReport::end(const RunSummary& summary) {
  Verdict worst = Verdict::conforming;
  std::string verdicts;
  for (const auto& [verdict, count] : summary.verdicts()) {
    worst = std::max(worst, verdict);
    verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", grouped(count), to_string(verdict));
  }
  const bool is_known = has_known_ && !has_new_ && worst != Verdict::unreadable;
  out_ << fmt::format("### {} parqproof: {}: {}\n\n{}{}, {}.\n\n", is_known ? kWarning : mark_of(worst),
                      counted(summary.files(), "file"), verdicts, counted(summary.counts().error, "error"),
                      is_known ? ", all known" : "", counted(summary.counts().warning, "warning"));
  if (!summary.rules().empty()) {
    out_ << "| severity | rule | findings | files | writers | first in |\n| --- | --- | --: | --: | --- | "
            "--- |\n";
    std::size_t size = 0;
    std::size_t listed = 0;
    for (const RunSummary::OfRule* rule : summary.rules()) {
      const std::string row = rule_row(*rule);
      size += row.size();
      if (size > kRuleBytes - 2000) break;
      out_ << row;
      ++listed;
    }
    out_ << "\n";
    if (listed < summary.rules().size())
      out_ << fmt::format("{} more.\n\n", counted(summary.rules().size() - listed, "rule"));
  }
  for (const auto& [rank, sections] : files_) {
    for (const std::string& section : sections) out_ << section;
  }
  if (left_out_ != 0)
    out_ << fmt::format("{} more: `parqproof check` lists all of them.\n\n", counted(left_out_, "file"));
  out_ << fmt::format("<sub>parqproof {}, parquet-format {}</sub>\n", PARQPROOF_VERSION,
                      kSpecCommit.substr(0, 7));
}

}  // namespace parqproof
