#include <fmt/format.h>

#include "codec/rules/rule.hpp"
#include "conformance/report/ci_reports.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/fingerprint.hpp"
#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/path_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

const char* quality_severity(Severity severity) {
  return severity == Severity::error ? "critical" : severity == Severity::warning ? "minor" : "info";
}

/// One line: services show no more of an issue in a merge request.
std::string issue_text(const Cause& cause) {
  const ReportedFinding& first = cause.first.front();
  std::string text = printable(text_message(first.finding));
  const std::string place = place_text(first.finding.place, first.column);
  text += fmt::format(" ({}{}", place.empty() ? "" : place + ", ", bytes_text(first.finding));
  if (cause.findings > 1) text += fmt::format(", and in {} more", counted(cause.findings - 1, "place"));
  text += ")";
  if (const std::string follows = follow_line(cause); !follows.empty()) text += "; follows: " + follows;
  return text;
}

}  // namespace

CodeQualityReport::CodeQualityReport(Out& out) : Report(out), json_(out, 1) { json_.begin_array(); }

void CodeQualityReport::issue(const std::string& path, const char* severity, std::string_view check,
                              const std::string& text, const std::string& fingerprint) {
  json_.object([&] {
    json_.member("description", text);
    json_.member("check_name", check);
    json_.member("fingerprint", fingerprint);
    json_.member("severity", severity);
    json_.object("location", [&] {
      json_.member("path", path);
      json_.object("lines", [&] { json_.member("begin", 1); });
    });
  });
}

void CodeQualityReport::add(const FileReport& file, const Source* /*source*/) {
  constexpr std::size_t kLosses = 3;
  const std::string path = repository_path(file.path);
  std::string damage;  // part of the first issue of the file
  for (const std::string& line : loss_lines(file, kLosses)) damage += "; " + line;
  for (const std::string& line : next_lines(file)) damage += "; " + line;
  Fingerprints fingerprints(file);
  for (const Cause* cause : causes_by_severity(file)) {
    if (!cause->listed) continue;
    issue(path, quality_severity(cause->severity()), info(cause->rule()).id, issue_text(*cause) + damage,
          fingerprints.next(cause->first.front()));
    damage.clear();
  }
  if (const NotRun* skipped = why_incomplete(file))
    issue(path, file.verdict == Verdict::unreadable ? "critical" : "minor", to_string(file.verdict),
          not_run_text(*skipped, " not judged: "), fingerprints.of_verdict());
}

void CodeQualityReport::end(const RunSummary& /*summary*/) { json_.end(); }

}  // namespace parqproof
