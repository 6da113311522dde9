#include "conformance/report/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace parqproof {
namespace {

/// Max bytes of a writer's name in a report; created_by can have any length.
constexpr std::size_t kName = 80;

SeverityCounts& operator+=(SeverityCounts& sum, const SeverityCounts& more) {
  sum.error += more.error;
  sum.warning += more.warning;
  sum.info += more.info;
  return sum;
}

}  // namespace

std::string verdicts_text(const RunSummary& summary) {
  std::string text;
  for (const auto& [verdict, count] : summary.verdicts())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(verdict));
  return text;
}

std::string writer_name(std::string_view created_by) {
  constexpr std::string_view kVersion = " version ";
  created_by = created_by.substr(0, created_by.find(" (build"));
  std::string name(created_by);
  if (const std::size_t at = name.find(kVersion); at != name.npos) name.replace(at, kVersion.size(), " ");
  if (name.size() > kName) name = name.substr(0, kName) + "...";
  return name;
}

bool SeenFaults::has(const FileReport& file) {
  std::string faults = to_string(file.verdict);
  std::set<Rule> rules;
  for (const Cause& cause : file.causes) {
    if (cause.severity() == Severity::error) rules.insert(cause.rule());
  }
  for (const Rule rule : rules) faults += " " + std::to_string(static_cast<unsigned>(rule));
  if (seen_.contains(faults) || seen_.size() >= kCounted) return true;
  seen_.insert(std::move(faults));
  return false;
}

void RunSummary::add_to_worst(const FileReport& file) {
  if (file.verdict == Verdict::conforming) return;
  OfFile own{file.path, file.verdict, faults_.has(file), std::nullopt, 0};
  std::set<Rule> rules;
  const bool has_error = file.counts.error != 0;
  for (const Cause& cause : file.causes) {
    if (has_error && cause.severity() != Severity::error) continue;
    if (!own.rule) own.rule = cause.rule();
    rules.insert(cause.rule());
  }
  own.more_rules = rules.empty() ? 0 : rules.size() - 1;
  const auto is_before = [](const OfFile& a, const OfFile& b) {
    return std::tuple(b.verdict, a.seen) < std::tuple(a.verdict, b.seen);
  };
  worst_.insert(std::ranges::upper_bound(worst_, own, is_before), std::move(own));
  if (worst_.size() > kFiles) worst_.pop_back();
}

void RunSummary::add(const FileReport& file) {
  add_to_worst(file);
  ++files_;
  ++verdicts_[file.verdict];
  counts_ += file.counts;
  if (file.compared) {
    if (!fresh_) fresh_.emplace();
    *fresh_ += file.compared->fresh;
    vanished_ += file.compared->vanished.size();
  }
  const std::string writer = file.created_by ? writer_name(*file.created_by) : "";
  std::set<const OfRule*> here;
  for (const Cause& cause : file.causes) {
    OfRule& rule = rules_[{cause.rule(), cause.severity()}];
    if (rule.files == 0) {
      rule.rule = cause.rule();
      rule.severity = cause.severity();
      rule.path = file.path;
      rule.first = cause.first.front();
    }
    rule.findings += cause.times;
    if (!here.insert(&rule).second) continue;
    ++rule.files;
    if (writer.empty() || rule.met.size() >= kWritersCounted) continue;
    if (rule.met.insert(std::hash<std::string>()(writer)).second && rule.writers.size() < kWriters)
      rule.writers.push_back(writer);
  }
}

std::vector<const RunSummary::OfRule*> RunSummary::rules() const {
  std::vector<const OfRule*> out;
  out.reserve(rules_.size());
  for (const auto& [key, rule] : rules_) out.push_back(&rule);
  std::ranges::stable_sort(out, [](const OfRule* a, const OfRule* b) {
    return std::tuple(a->severity, b->findings) < std::tuple(b->severity, a->findings);
  });
  return out;
}

}  // namespace parqproof
