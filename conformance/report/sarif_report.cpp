#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/report/ci_reports.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/fingerprint.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/path_text.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/verdict/cause_groups.hpp"

namespace parqproof {
namespace {

/// Levels with one line for each member: the log, its runs, one run, its results.
constexpr std::size_t kBrokenLevels = 4;

const char* level_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// A path as a URI reference (RFC 3986): relative as it is, absolute with the scheme `file`. Bytes that are
/// not allowed in a URI path become %XX.
std::string uri_of_path(std::string_view path) {
  constexpr std::string_view kAllowed =
      "-._~/!$&'()*+,;=@";  // in addition to letters and digits; a colon could end a scheme
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || kAllowed.find(letter) != kAllowed.npos);
    if (plain) {
      uri += letter;
    } else {
      uri += fmt::format("%{:02X}", byte);
    }
  }
  return uri;
}

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.object(name, [&] { json.member("text", text); });
}

/// Writes a member that is a list of one object; `write` writes its members.
template <typename Write>
void only(JsonWriter& json, std::string_view name, Write&& write) {
  json.key(name), json.begin_array(), json.object(write), json.end();
}

void write_artifact(JsonWriter& json, const std::string& path) {
  json.object("artifactLocation", [&] { json.member("uri", uri_of_path(path)); });
}

/// Location of a finding, for people and for programs.
void write_location(JsonWriter& json, const std::string& path, const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  json.object("physicalLocation", [&] {
    write_artifact(json, path);
    json.object("region", [&] {
      json.member("byteOffset", finding.file_position());
      if (finding.space == Space::file) json.member("byteLength", finding.length);
    });
  });
  const std::string place = place_text(finding.place, reported.column);
  if (!place.empty()) only(json, "logicalLocations", [&] { json.member("fullyQualifiedName", place); });
}

/// In plain text, SARIF uses braces for arguments and brackets for links.
bool is_plain(const std::string& text) { return text.find_first_of("{}[]") == text.npos; }

/// The message of a finding, with its place. The first finding of a file also has the losses and the next
/// steps.
std::string message_of(const FileReport& file, const ReportedFinding& reported, bool is_first) {
  constexpr std::size_t kLosses = 3;
  std::string text = printable(text_message(reported.finding));
  const std::string place = place_text(reported.finding.place, reported.column);
  if (!place.empty()) text += " (" + place + ")";
  if (!is_first) return text;
  for (const std::string& line : loss_lines(file, kLosses)) {
    if (is_plain(line)) text += "\n" + line;
  }
  const std::vector<std::string> steps = next_lines(file);
  if (!std::ranges::all_of(steps, is_plain))
    return text + "\nNext: properties.next of this result has commands";
  for (const std::string& line : steps) text += "\n" + line;
  return text;
}

/// Losses of a file, and next steps.
void write_damage(JsonWriter& json, const FileReport& file) {
  constexpr std::size_t kListed = 20;
  std::vector<LossText> lost = loss_texts(file);
  if (!lost.empty()) {
    json.member("lostInAll", lost.size());
    lost.resize(std::min(lost.size(), kListed));
    json.array("lost", lost, [&](const LossText& loss) { json.string(loss_line(loss)); });
  }
  if (!file.next.empty()) write_next(json, file.next);
}

/// Properties that SARIF does not define; `is_first` means the first result of the file.
void write_properties(JsonWriter& json, const FileReport& file, const ReportedFinding& reported,
                      const Cause& cause, bool is_first) {
  const Finding& finding = reported.finding;
  json.object("properties", [&] {
    json.member("class", to_string(reported.klass));
    if (!finding.field.empty()) json.member("field", finding.field);
    if (!finding.expected.empty()) json.member("expected", plain_text(finding.expected));
    if (!finding.found.empty()) json.member("found", plain_text(finding.found));
    if (finding.space == Space::page) {
      json.member("pageOffset", finding.page_offset);
      json.member("offsetInPage", finding.offset);
      json.member("lengthInPage", finding.length);
    }
    if (!cause.consequences.empty()) json.values("consequences", follow_texts(cause.consequences));
    if (is_first) write_damage(json, file);
  });
}

/// Members of the description of a rule.
void write_rule(JsonWriter& json, const RuleInfo& row) {
  json.member("id", row.id);
  write_text(json, "shortDescription", row.statement);
  write_text(json, "fullDescription", fmt::format("{} {}", row.statement, row.harm));
  json.object("help", [&] {
    json.member("text", fmt::format("Harm: {} Fix: {} Clause: {}", row.harm, row.fix, row.clause));
    json.member("markdown", fmt::format("**Harm:** {}\n\n**Fix:** {}\n\n**Clause:** [{}]({})", row.harm,
                                        row.fix, row.clause, clause_url(row)));
  });
  json.member("helpUri", clause_url(row));
  json.object("defaultConfiguration", [&] { json.member("level", level_of(row.severity)); });
  json.object("properties", [&] {
    json.key("tags"), json.row("parquet", row.id.substr(0, row.id.find('/')));
    json.member("precision", "very-high");
    json.member("problem.severity",
                row.severity == Severity::info ? "recommendation" : to_string(row.severity));
  });
}

void write_driver(JsonWriter& json, const RuleNumbers& rules) {
  json.member("name", "parqproof");
  json.member("semanticVersion", PARQPROOF_VERSION);
  json.member("version", fmt::format("{} (parquet-format {})", PARQPROOF_VERSION, kSpecCommit.substr(0, 7)));
  json.objects("rules", rules.all(), [&](Rule rule) { write_rule(json, info(rule)); });
}

}  // namespace

void SarifReport::keep(Severity severity, std::string result) {
  ++kept_;
  bytes_ += result.size();
  results_[static_cast<std::size_t>(severity)].push_back(std::move(result));
  for (std::size_t lowest = results_.size(); lowest-- > 0;) {
    std::vector<std::string>& texts = results_[lowest];
    while (!texts.empty() && (kept_ > kResults || bytes_ > kBytes)) {
      bytes_ -= texts.back().size();
      texts.pop_back();
      --kept_;
      ++left_out_;
    }
  }
}

void SarifReport::notify(const char* level, const std::string& text, const std::string& path) {
  if (notifications_.size() >= kNotifications) {
    ++notifications_left_out_;
    return;
  }
  notifications_.push_back(object_text([&](JsonWriter& json) {
    json.member("level", level);
    write_text(json, "message", text);
    if (path.empty()) return;
    only(json, "locations", [&] { json.object("physicalLocation", [&] { write_artifact(json, path); }); });
  }));
}

void SarifReport::add(const FileReport& file, const Source* /*source*/) {
  const std::string path = repository_path(file.path);
  Fingerprints fingerprints(file);
  const std::vector<std::size_t> causes = causes_of_findings(file);
  const auto worst = std::ranges::min_element(file.findings, {}, &ReportedFinding::severity);
  for (std::size_t i = 0; i < file.findings.size(); ++i) {
    const ReportedFinding& reported = file.findings[i];
    const Finding& finding = reported.finding;
    const Cause& cause = file.causes[causes[i]];
    const bool is_first = &reported == &*worst;
    const std::string print = fingerprints.next(reported);
    keep(reported.severity, object_text([&](JsonWriter& json) {
           json.member("ruleId", info(finding.rule).id);
           json.member("ruleIndex", rules_.of(finding.rule));
           json.member("level", level_of(reported.severity));
           write_text(json, "message", message_of(file, reported, is_first));
           only(json, "locations", [&] { write_location(json, path, reported); });
           json.member("occurrenceCount", finding.times);
           json.object("partialFingerprints", [&] {
             json.member("parqproof/v1", print);
             json.member("primaryLocationLineHash", print);
           });
           if (reported.known) json.member("baselineState", *reported.known ? "unchanged" : "new");
           write_properties(json, file, reported, cause, is_first);
         }));
  }
  left_out_ += file.omitted.total();
  for (const NotRun& skipped : file.not_run) {
    complete_ = complete_ && file.verdict != Verdict::unreadable;
    notify(file.verdict == Verdict::unreadable ? "error" : "note", not_run_text(skipped, " not judged: "),
           path);
  }
}

void SarifReport::end(const RunSummary& summary) {
  if (left_out_ != 0)
    notify("warning",
           fmt::format("{} not listed: at most {} and {} bytes of them are", counted(left_out_, "finding"),
                       counted(kResults, "result"), grouped(kBytes)),
           {});
  if (notifications_left_out_ != 0) {
    notifications_.pop_back();
    notifications_.push_back(object_text([&](JsonWriter& json) {
      json.member("level", "note");
      write_text(json, "message",
                 fmt::format("{} more is left out", counted(notifications_left_out_ + 1, "notification")));
    }));
  }
  JsonWriter json(out_, kBrokenLevels);
  const auto raw = [&](const std::string& text) { json.raw(text); };
  json.object([&] {
    json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.member("version", "2.1.0");
    only(json, "runs", [&] {
      json.object("tool", [&] { json.object("driver", [&] { write_driver(json, rules_); }); });
      json.object("automationDetails", [&] { json.member("id", "parqproof/"); });
      only(json, "invocations", [&] {
        json.member("executionSuccessful", complete_);
        json.array("toolExecutionNotifications", notifications_, raw);
      });
      json.array("results", results_ | std::views::join, raw);
      json.object("properties", [&] {
        json.member("files", summary.files());
        for (const auto& [verdict, count] : summary.verdicts()) json.member(to_string(verdict), count);
      });
    });
  });
}

}  // namespace parqproof
