#include "conformance/report/baseline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "codec/rules/rule.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/path_text.hpp"

namespace parqproof {
namespace {

using Json = nlohmann::json;

/// Column of the findings whose columns were not distinguished.
constexpr const char* kAny = "...";

/// Text after a round trip through a JSON report.
std::string as_reported(const std::string& text) { return Json::parse(json_string(text)).get<std::string>(); }

/// Parses JSON without the parts that a baseline does not need, which are most of it.
Json parse_report(std::string_view text) {
  const auto keep = [](int /*depth*/, Json::parse_event_t event, Json& value) {
    if (event != Json::parse_event_t::key) return true;
    static const std::set<std::string> kNeeded = {
        "report_version", "tool", "name",   "files", "path", "relative_path", "verdict",
        "findings",       "keys", "column", "field", "rule", "truncated",     "summary"};
    return kNeeded.contains(value.get_ref<const std::string&>());
  };
  return Json::parse(text.begin(), text.end(), keep, false);
}

std::string text_at(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool is_head(const Json& value) {
  if (!value.is_object() || value.value("report_version", Json()) != 1 || !value.contains("tool"))
    return false;
  return value["tool"].is_object() && text_at(value["tool"], "name") == "parqproof";
}

/// The file objects of a report; empty with a message in `why` if the text is no report.
std::optional<std::vector<Json>> files_of(std::string_view text, std::string& why) {
  std::vector<Json> files;
  Json report = parse_report(text);
  if (is_head(report)) {
    const auto at = report.find("files");
    if (at == report.end() || !at->is_array()) {
      why = "it is a report without files (--summary)";
      return std::nullopt;
    }
    for (Json& file : *at) files.push_back(std::move(file));
    return files;
  }
  const std::size_t end = text.find('\n');
  if (end == text.npos || !is_head(parse_report(text.substr(0, end)))) {
    why = "it is not a JSON report of `parqproof check`";
    return std::nullopt;
  }
  bool ended = false;
  for (text.remove_prefix(end + 1); !text.empty();) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    Json file = parse_report(line);
    if (!file.is_object()) {
      why = "one of its lines is not JSON: the report is truncated";
      return std::nullopt;
    }
    ended = file.contains("summary");
    if (file.contains("path")) files.push_back(std::move(file));
  }
  if (ended) return files;
  why = "its last line is missing: the report is truncated";
  return std::nullopt;
}

/// The keys of the findings of a file; empty if the report does not have all of them.
std::optional<std::set<FindingKey>> keys_of(const Json& file) {
  const Json findings = file.value("findings", Json());
  const bool truncated = file.value("truncated", Json()) == true;
  const Json& list = truncated ? file.value("keys", Json()) : findings;
  if (!list.is_array()) return std::nullopt;
  std::set<FindingKey> keys;
  for (const Json& one : list) {
    if (!one.is_object()) return std::nullopt;
    keys.insert({text_at(one, "rule"), text_at(one, "column"), general_field(text_at(one, "field"))});
  }
  return keys;
}

/// The parts of a file that the current check covers.
class Judged {
 public:
  Judged(const FileReport& file, const CheckOptions& options)
      : file_(file), options_(options), policy_(options) {
    complete_ = file.verdict != Verdict::unreadable;
    for (const Lost& lost : file.lost) leave_out(lost.column);
    for (const NotRun& skipped : file.not_run) {
      if (!skipped.by_choice) leave_out(skipped.column);
    }
  }

  /// Returns true if the check would have found a finding with this key.
  [[nodiscard]] bool covers(const FindingKey& key) const {
    const std::optional<Rule> rule = find_rule(key.rule);
    if (!complete_ || !rule || key.column == kAny || columns_.contains(key.column)) return false;
    if (key.column.empty() && !columns_.empty()) return false;
    if (options_.row_groups && info(*rule).tier != Tier::footer) return false;
    const bool ignored = std::ranges::any_of(
        file_.ignored, [&](std::size_t ignore) { return matches(options_.ignores[ignore].pattern, *rule); });
    return !ignored && policy_.severity(*rule) && info(*rule).tier <= options_.tier;
  }

 private:
  void leave_out(const std::string& column) {
    if (column.empty()) {
      complete_ = false;
    } else {
      columns_.insert(as_reported(column));
    }
  }

  const FileReport& file_;
  const CheckOptions& options_;
  Policy policy_;
  bool complete_;
  std::set<std::string> columns_;  // columns that were not checked completely
};

}  // namespace

std::optional<Baseline> Baseline::read(std::string_view text, std::string& why) {
  const std::optional<std::vector<Json>> files = files_of(text, why);
  if (!files) return std::nullopt;
  Baseline baseline;
  for (const Json& file : *files) {
    if (!file.is_object() || text_at(file, "path").empty()) {
      why = "it is not a JSON report of `parqproof check`: a file has no path";
      return std::nullopt;
    }
    const std::string path = text_at(file, "path");
    std::optional<Keys> keys = keys_of(file);
    if (!keys) {
      why = "it does not list all findings of " + path + " (--limit 0 lists all)";
      return std::nullopt;
    }
    const std::size_t index = baseline.files_.size();
    baseline.by_path_.try_emplace(plain_path(path), index);
    if (const std::string relative = text_at(file, "relative_path"); !relative.empty()) {
      const auto [at, fresh] = baseline.by_relative_.try_emplace(relative, index);
      if (!fresh) at->second.reset();
    }
    baseline.files_.push_back(std::move(*keys));
  }
  return baseline;
}

const Baseline::Keys& Baseline::of(const FileReport& file) const {
  static const Keys kNone;
  if (const auto at = by_path_.find(plain_path(as_reported(file.path))); at != by_path_.end())
    return files_[at->second];
  const auto at = by_relative_.find(as_reported(file.relative));
  return at != by_relative_.end() && at->second ? files_[*at->second] : kNone;
}

void Baseline::compare(FileReport& file, const CheckOptions& options) const {
  const Keys& former = of(file);
  std::set<std::string> uncertain;  // rules whose columns are not all listed
  for (const FindingKey& key : former) {
    if (key.column == kAny) uncertain.insert(key.rule);
  }
  Keys now;
  const auto known = [&](Rule rule, const std::string& column, const std::string& field) {
    FindingKey key{std::string(info(rule).id), as_reported(column), as_reported(field)};
    const bool found = former.contains(key) || uncertain.contains(key.rule);
    now.insert(std::move(key));
    return found;
  };
  Compared compared;
  for (Cause& cause : file.causes) {
    for (Cause::Column& column : cause.columns) {
      column.known = known(cause.rule(), column.column, cause.field);
      if (!*column.known) compared.fresh.add(cause.severity(), column.times);
    }
    for (ReportedFinding& one : cause.first) one.known = known(one.finding.rule, one.column, cause.field);
  }
  for (ReportedFinding& one : file.findings)
    one.known = known(one.finding.rule, one.column, general_field(one.finding.field));
  for (const FindingKey& key : now) {
    if (key.column == kAny) uncertain.insert(key.rule);
  }
  const Judged judged(file, options);
  std::ranges::copy_if(former, std::back_inserter(compared.vanished), [&](const FindingKey& key) {
    return !now.contains(key) && !uncertain.contains(key.rule) && judged.covers(key);
  });
  file.compared = std::move(compared);
}

}  // namespace parqproof
