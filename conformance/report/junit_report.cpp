#include <fmt/format.h>

#include <algorithm>

#include "codec/rules/rule.hpp"
#include "conformance/report/ci_reports.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/path_text.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/verdict/cause_groups.hpp"

namespace parqproof {
namespace {

/// Escapes text for XML or the value of an attribute; `text` is printable() except for newlines.
std::string xml(std::string_view text) {
  constexpr std::string_view kNoncharacters = "\xEF\xBF";  // U+FFFE and U+FFFF, which XML does not have
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (text.substr(at).starts_with(kNoncharacters) && at + 2 < text.size()) {
      const auto last = static_cast<unsigned char>(text[at + 2]);
      if (last >= 0xBE) {
        out += last == 0xBE ? "\\ufffe" : "\\uffff";
        at += 2;
        continue;
      }
    }
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += letter;
    }
  }
  return out;
}

std::string line_of(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  const std::string place = place_text(finding.place, reported.column);
  return fmt::format("{}{} {} at {}{}: {}\n", reported.known.value_or(false) ? "known " : "",
                     to_string(reported.severity), info(finding.rule).id, bytes_text(finding),
                     place.empty() ? "" : ", " + place, printable(text_message(finding)));
}

/// Text about a file: findings, then parts that were not checked, then losses and next steps.
std::string lines_of(const FileReport& file) {
  constexpr std::size_t kLosses = 5;
  std::string text;
  std::size_t listed = 0;
  const std::vector<std::size_t> causes = causes_of_findings(file);
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
    for (std::size_t i = 0; i < file.findings.size(); ++i) {
      const ReportedFinding& reported = file.findings[i];
      if (reported.severity != severity || listed++ >= JunitReport::kFindings) continue;
      text += line_of(reported);
      const std::string follows = follow_line(file.causes[causes[i]]);
      if (!follows.empty()) text += "follows from it: " + follows + "\n";
    }
  }
  for (const NotRun& skipped : file.not_run) {
    if (listed++ >= JunitReport::kFindings) continue;
    text += fmt::format("not run {}\n", not_run_text(skipped));
  }
  if (listed > JunitReport::kFindings) text += fmt::format("and {} more\n", listed - JunitReport::kFindings);
  for (const std::string& line : loss_lines(file, kLosses)) text += line + "\n";
  for (const std::string& line : next_lines(file)) text += line + "\n";
  return text;
}

/// One line: verdict and counts, or the reason why the file was not checked completely.
std::string headline(const FileReport& file) {
  std::string text = fmt::format("{}: {}, {}", to_string(file.verdict), counted(file.counts.error, "error"),
                                 counted(file.counts.warning, "warning"));
  if (!file.not_run.empty() && file.counts.error == 0)
    text +=
        fmt::format("; {}: {}", printable(file.not_run.front().what), printable(file.not_run.front().why));
  return text;
}

/// The rule of the first error, else of the first finding, else the verdict.
std::string_view kind_of(const FileReport& file) {
  const auto error = std::ranges::find(file.findings, Severity::error, &ReportedFinding::severity);
  if (error != file.findings.end()) return info(error->finding.rule).id;
  return file.findings.empty() ? to_string(file.verdict) : info(file.findings.front().finding.rule).id;
}

}  // namespace

void JunitReport::add(const FileReport& file, const Source* /*source*/) {
  ++tests_;
  const std::string path = xml(printable(repository_path(file.path)));
  cases_ += fmt::format("    <testcase classname=\"parqproof.{}\" name=\"{}\" file=\"{}\"",
                        to_string(file.tier), path, path);
  const int code = exit_code(file, tolerated_);
  const std::string lines = xml(lines_of(file));
  if (code == 0 && lines.empty()) {
    cases_ += "/>\n";
    return;
  }
  cases_ += ">\n";
  if (code == 0) {
    cases_ += "      <system-out>" + lines + "</system-out>\n";
  } else {
    ++(code == 1 ? failures_ : errors_);
    const char* element = code == 1 ? "failure" : "error";
    cases_ += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, kind_of(file),
                          xml(headline(file)), lines);
  }
  cases_ += "    </testcase>\n";
}

void JunitReport::end(const RunSummary& /*summary*/) {
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests_, failures_, errors_);
  out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
       << fmt::format(
              "<testsuites name=\"parqproof check\" {}>\n  <testsuite name=\"parqproof check\" {} "
              "skipped=\"0\">\n",
              counts, counts)
       << cases_ << "  </testsuite>\n</testsuites>\n";
}

}  // namespace parqproof
