#include "conformance/report/sarif_report.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "codec/file/bloom_filter.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/clause_url.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/uri.hpp"
#include "conformance/report/wording.hpp"

namespace parqproof {
namespace {

/// The levels that get a line for each member: the log, its runs, one run, its results.
constexpr std::size_t kBrokenLevels = 4;

const char* level_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// XXH64 of the text, as hex digits.
std::string fingerprint(std::string_view text) {
  return fmt::format("{:016x}",
                     bloom_hash({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

/// The JSON of one object, without the line's end.
template <typename Write>
std::string object(Write&& write) {
  std::string text;
  {
    Out out(text);
    JsonWriter json(out);
    json.begin_object();
    write(json);
    json.end();
  }
  text.pop_back();
  return text;
}

template <typename Write>
void member_object(JsonWriter& json, std::string_view name, Write&& write) {
  json.key(name);
  json.begin_object();
  write();
  json.end();
}

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  member_object(json, name, [&] { json.member("text", text); });
}

void write_artifact(JsonWriter& json, const std::string& path) {
  member_object(json, "artifactLocation", [&] { json.member("uri", uri_of_path(path)); });
}

/// Where a finding stands, as people and as programs name it.
void write_location(JsonWriter& json, const FileReport& file, const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  json.begin_object();
  member_object(json, "physicalLocation", [&] {
    write_artifact(json, file.path);
    member_object(json, "region", [&] {
      json.member("byteOffset", finding.file_position());
      if (finding.space == Space::file) json.member("byteLength", finding.length);
    });
  });
  const std::string place = place_text(finding.place, reported.column);
  if (!place.empty()) {
    json.key("logicalLocations");
    json.begin_array();
    json.begin_object();
    json.member("fullyQualifiedName", place);
    json.end();
    json.end();
  }
  json.end();
}

/// What SARIF has no word for.
void write_properties(JsonWriter& json, const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  member_object(json, "properties", [&] {
    json.member("class", to_string(reported.klass));
    if (!finding.field.empty()) json.member("field", finding.field);
    if (!finding.expected.empty()) json.member("expected", finding.expected);
    if (!finding.found.empty()) json.member("found", finding.found);
    if (finding.space == Space::page) {
      json.member("pageOffset", finding.page_offset);
      json.member("offsetInPage", finding.offset);
      json.member("lengthInPage", finding.length);
    }
  });
}

void write_rule(JsonWriter& json, Rule rule) {
  const RuleInfo& row = info(rule);
  json.begin_object();
  json.member("id", row.id);
  write_text(json, "shortDescription", row.statement);
  write_text(json, "fullDescription", fmt::format("{} {}", row.statement, row.harm));
  member_object(json, "help", [&] {
    json.member("text",
                fmt::format("What goes wrong: {} What to do: {} Clause: {}", row.harm, row.fix, row.clause));
    json.member("markdown",
                fmt::format("**What goes wrong:** {}\n\n**What to do:** {}\n\n**Clause:** [{}]({})", row.harm,
                            row.fix, row.clause, clause_url(row)));
  });
  json.member("helpUri", clause_url(row));
  member_object(json, "defaultConfiguration", [&] { json.member("level", level_of(row.severity)); });
  member_object(json, "properties", [&] {
    json.key("tags");
    json.begin_array();
    json.string("parquet");
    json.string(row.id.substr(0, row.id.find('/')));
    json.end();
    json.member("precision", "very-high");
    json.member("problem.severity",
                row.severity == Severity::info ? "recommendation" : to_string(row.severity));
  });
  json.end();
}

}  // namespace

std::size_t SarifReport::rule_index(Rule rule) {
  const auto [at, fresh] = rule_index_.try_emplace(rule, rules_.size());
  if (fresh) rules_.push_back(rule);
  return at->second;
}

void SarifReport::keep(Severity severity, std::string result) {
  ++kept_;
  bytes_ += result.size();
  results_[static_cast<std::size_t>(severity)].push_back(std::move(result));
  for (std::size_t least = results_.size(); least-- > 0;) {
    std::vector<std::string>& texts = results_[least];
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
  notifications_.push_back(object([&](JsonWriter& json) {
    json.member("level", level);
    write_text(json, "message", text);
    if (path.empty()) return;
    json.key("locations");
    json.begin_array();
    json.begin_object();
    member_object(json, "physicalLocation", [&] { write_artifact(json, path); });
    json.end();
    json.end();
  }));
}

void SarifReport::add(const FileReport& file, const Source* /*source*/) {
  const std::string& name = file.relative.empty() ? file.path : file.relative;
  std::map<std::string, std::uint64_t> same;  // findings that differ in their places alone
  for (const ReportedFinding& reported : file.findings) {
    const Finding& finding = reported.finding;
    const std::string key = fmt::format("{}|{}|{}|{}", name, info(finding.rule).id, reported.column,
                                        general_field(finding.field));
    const std::string print = fingerprint(fmt::format("{}|{}", key, same[key]++));
    keep(reported.severity, object([&](JsonWriter& json) {
           json.member("ruleId", info(finding.rule).id);
           json.member("ruleIndex", rule_index(finding.rule));
           json.member("level", level_of(reported.severity));
           const std::string place = place_text(finding.place, reported.column);
           write_text(json, "message",
                      printable(text_message(finding)) + (place.empty() ? "" : " (" + place + ")"));
           json.key("locations");
           json.begin_array();
           write_location(json, file, reported);
           json.end();
           json.member("occurrenceCount", finding.times);
           member_object(json, "partialFingerprints", [&] {
             json.member("parqproof/v1", print);
             json.member("primaryLocationLineHash", print);
           });
           if (reported.known) json.member("baselineState", *reported.known ? "unchanged" : "new");
           write_properties(json, reported);
         }));
  }
  left_out_ += file.omitted.total();
  for (const NotRun& skipped : file.not_run) {
    complete_ = complete_ && file.verdict != Verdict::unreadable;
    notify(file.verdict == Verdict::unreadable ? "error" : "note",
           with_place(place_text(skipped.place, skipped.column),
                      fmt::format("{} not judged: {}", printable(skipped.what), printable(skipped.why))),
           file.path);
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
    notifications_.push_back(object([&](JsonWriter& json) {
      json.member("level", "note");
      write_text(json, "message",
                 fmt::format("{} more is left out", counted(notifications_left_out_ + 1, "notification")));
    }));
  }
  JsonWriter json(*out_, kBrokenLevels);
  json.begin_object();
  json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.member("version", "2.1.0");
  json.key("runs");
  json.begin_array();
  json.begin_object();
  member_object(json, "tool", [&] {
    member_object(json, "driver", [&] {
      json.member("name", "parqproof");
      json.member("semanticVersion", PARQPROOF_VERSION);
      json.member("version",
                  fmt::format("{} (parquet-format {})", PARQPROOF_VERSION, kSpecCommit.substr(0, 7)));
      json.array("rules", rules_, [&](Rule rule) { write_rule(json, rule); });
    });
  });
  member_object(json, "automationDetails", [&] { json.member("id", "parqproof/"); });
  json.key("invocations");
  json.begin_array();
  json.begin_object();
  json.member("executionSuccessful", complete_);
  json.array("toolExecutionNotifications", notifications_, [&](const std::string& one) { json.raw(one); });
  json.end();
  json.end();
  json.key("results");
  json.begin_array();
  for (const std::vector<std::string>& texts : results_) {
    for (const std::string& text : texts) json.raw(text);
  }
  json.end();
  member_object(json, "properties", [&] {
    json.member("files", summary.files());
    for (const auto& [verdict, count] : summary.verdicts()) json.member(to_string(verdict), count);
  });
  json.end();
  json.end();
  json.end();
}

}  // namespace parqproof
