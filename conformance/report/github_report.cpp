#include <fmt/format.h>

#include <algorithm>

#include "codec/rules/rule.hpp"
#include "conformance/report/ci_reports.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/path_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

/// What a baseline has does not fail a check.
const char* command_of(const Cause& cause) {
  if (cause.is_known()) return "notice";
  const Severity severity = cause.severity();
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "notice";
}

/// Escapes the special characters of workflow commands: in a message the percent sign and ends of lines, in a
/// property also the colon and the comma.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char letter : text) {
    const bool own =
        letter == '%' || letter == '\n' || letter == '\r' || (property && (letter == ':' || letter == ','));
    out += own ? fmt::format("%{:02X}", static_cast<unsigned char>(letter)) : std::string(1, letter);
  }
  return out;
}

void annotate(Out& out, const char* command, const std::string& path, std::string_view title,
              const std::string& text) {
  out << fmt::format("::{} file={},title={}::{}\n", command, escaped(printable(path), true),
                     escaped(title, true), escaped(text, false));
}

std::string text_of(const Cause& cause) {
  const ReportedFinding& first = cause.first.front();
  std::string text = fmt::format("{}\n", printable(text_message(first.finding)));
  const std::string place = place_text(first.finding.place, first.column);
  if (!place.empty()) text += fmt::format("in {}, ", place);
  text += fmt::format("at {}", bytes_text(first.finding));
  if (cause.findings > 1) text += fmt::format(", and in {} more", counted(cause.findings - 1, "place"));
  if (const std::string fresh = new_columns_text(cause); !fresh.empty()) text += "\nNew in " + fresh;
  if (const std::string follows = follow_line(cause); !follows.empty()) text += "\nFollows: " + follows;
  return text + fmt::format("\n{}\nFix: {}", info(cause.rule()).harm, info(cause.rule()).fix);
}

}  // namespace

const NotRun* why_incomplete(const FileReport& file) noexcept {
  if (file.verdict != Verdict::unsupported && file.verdict != Verdict::limit &&
      file.verdict != Verdict::unreadable)
    return nullptr;
  const auto skipped = std::ranges::find(file.not_run, false, &NotRun::by_choice);
  return skipped == file.not_run.end() ? nullptr : &*skipped;
}

void GithubReport::add(const FileReport& file, const Source* /*source*/) {
  constexpr std::size_t kLosses = 3;
  const std::string path = repository_path(file.path);
  std::string damage;  // part of the first annotation of the file
  for (const std::string& line : loss_lines(file, kLosses)) damage += "\n" + line;
  for (const std::string& line : next_lines(file)) damage += "\n" + line;
  for (const Cause* cause : causes_by_severity(file)) {
    if (!cause->listed) continue;
    const std::string known = cause->is_known() ? "known: " : "";
    annotate(out_, command_of(*cause), path, known + std::string(info(cause->rule()).id),
             text_of(*cause) + damage);
    damage.clear();
  }
  if (const NotRun* skipped = why_incomplete(file))
    annotate(out_, file.verdict == Verdict::unreadable ? "error" : "warning", path, to_string(file.verdict),
             not_run_text(*skipped, " not judged: "));
}

void GithubReport::end(const RunSummary& summary) {
  const std::string verdicts = verdicts_text(summary);
  out_ << fmt::format("::notice title=parqproof::{}: {}\n", counted(summary.files(), "file"), verdicts);
}

}  // namespace parqproof
