#include "conformance/verdict/cause_groups.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/footer/known_writer_rules.hpp"
#include "conformance/verdict/losses.hpp"

namespace parqproof {
namespace {

/// Form of a found or expected value: findings of one rule that differ only in numbers or names have one
/// cause.
enum class Form : std::uint8_t { none, number, absent, words };

Form form_of(const FindingValue& value) {
  struct Visitor {
    Form operator()(std::monostate) const { return Form::none; }
    Form operator()(const FindingValue::Absent&) const { return Form::absent; }
    Form operator()(const Integer&) const { return Form::number; }
    Form operator()(const FindingValue::Literal&) const { return Form::number; }
    Form operator()(const FindingValue::Symbol& symbol) const {
      return symbol.name.empty() ? Form::number : Form::words;
    }
    Form operator()(const FindingValue::Count&) const { return Form::words; }
    Form operator()(const FindingValue::Range&) const { return Form::words; }
    Form operator()(const FindingValue::Bytes&) const { return Form::words; }
    Form operator()(const FindingValue::Phrase&) const { return Form::words; }
  };
  return std::visit(Visitor{}, value.alternatives());
}

using Kind = std::tuple<Rule, std::string, Severity, Form, Form>;

Kind kind_of(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  return {finding.rule, general_field(finding.field), reported.severity, form_of(finding.found),
          form_of(finding.expected)};
}

/// Groups the findings of a file, which come in file order, by cause.
class Causes {
 public:
  void add(const ReportedFinding& reported) {
    const Finding& finding = reported.finding;
    const Kind kind = kind_of(reported);
    const auto [at, fresh] = of_kind_.try_emplace(kind, causes_.size());
    if (fresh) {
      const std::string& field = causes_.emplace_back().cause.field = std::get<std::string>(kind);
      of_likeness_.try_emplace({finding.rule, -1, field}, at->second);
      of_likeness_.try_emplace({finding.rule, -1, "..."}, at->second);
    }
    Gathered& gathered = causes_[at->second];
    Cause& cause = gathered.cause;
    ++cause.findings;
    cause.times += finding.times;
    if (cause.first.size() < Cause::kPlaces) cause.first.push_back(reported);
    for (const KnownBug* bug : reported.bugs) {
      if (std::ranges::find(cause.bugs, bug) == cause.bugs.end()) cause.bugs.push_back(bug);
    }
    if (finding.place.row_group >= 0) gathered.row_groups.insert(finding.place.row_group);
    gathered.columns[{finding.place.leaf, reported.column}] += finding.times;
  }

  /// Adds findings that were only counted; column "..." has those that were not distinguished.
  void add(const Likeness& likeness, std::uint64_t times, const std::string& column) {
    auto at = of_likeness_.find({likeness.rule, -1, likeness.field});
    if (at == of_likeness_.end()) at = of_likeness_.find({likeness.rule, -1, "..."});
    if (at == of_likeness_.end()) return;
    Gathered& gathered = causes_[at->second];
    gathered.cause.findings += times;
    gathered.cause.times += times;
    gathered.columns[{likeness.leaf, column}] += times;
  }

  std::vector<Cause> take() {
    std::vector<Cause> out;
    for (Gathered& gathered : causes_) {
      Cause& cause = out.emplace_back(std::move(gathered.cause));
      cause.row_groups.assign(gathered.row_groups.begin(), gathered.row_groups.end());
      for (const auto& [column, times] : gathered.columns)
        cause.columns.push_back({column.first, column.second, times, {}});
    }
    return out;
  }

 private:
  struct Gathered {
    Cause cause;
    std::set<std::int32_t> row_groups;
    std::map<std::pair<std::int32_t, std::string>, std::uint64_t> columns;
  };

  std::vector<Gathered> causes_;
  std::map<Kind, std::size_t> of_kind_;
  std::map<Likeness, std::size_t> of_likeness_;  // first cause of a rule and a field, in any column
};

/// Selects up to `most` of the findings, which are in file order. Errors precede warnings and infos; within a
/// severity, new findings precede those of the baseline; then the first finding of each rule precedes the
/// others.
std::vector<bool> chosen(const std::vector<ReportedFinding>& all, std::uint64_t most) {
  std::vector<bool> out(all.size(), most == 0 || all.size() <= most);
  if (out.empty() || out.front()) return out;
  std::array<RuleSet, 2> seen;  // new, known
  using Rank =
      std::tuple<Severity, bool, bool, std::size_t>;  // severity, known, not its rule's first, ordinal
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto rule = static_cast<std::size_t>(all[i].finding.rule);
    const bool known = all[i].known.value_or(false);
    ranks.emplace_back(all[i].severity, known, seen[known ? 1 : 0][rule], i);
    seen[known ? 1 : 0].set(rule);
  }
  std::ranges::sort(ranks);
  for (std::size_t i = 0; i < most; ++i) out[std::get<std::size_t>(ranks[i])] = true;
  return out;
}

}  // namespace

std::string column_of(const ParsedFooter& footer, const Place& place) {
  if (!footer.schema_usable || place.leaf < 0) return {};
  const auto leaf = static_cast<std::size_t>(place.leaf);
  if (leaf >= footer.schema.leaf_count()) return {};
  return footer.schema.dotted_path(footer.schema.leaf_index(leaf));
}

void report_findings(FileReport& report, FileCheck& check, const Policy& policy) {
  Findings& findings = check.outcome.findings;
  findings.sort();
  const auto count = [&](Rule rule, std::uint64_t times) {
    const Severity severity = *policy.severity(rule);
    report.counts.add(severity, times);
    if (severity == Severity::warning && is_judgement(info(rule).klass))
      report.failed_on_warning = check.options.fail_on_warning;
    return severity;
  };
  const Losses losses(report.lost, findings.all(), policy);
  Causes causes;
  for (const Finding& finding : findings.all()) {
    if (!policy.severity(finding.rule)) continue;
    const Severity severity = count(finding.rule, finding.times);
    report.findings.push_back({finding,
                               severity,
                               column_of(check.footer, finding.place),
                               {},
                               losses.class_of(finding),
                               bugs_for(check.footer, finding)});
    causes.add(report.findings.back());
  }
  for (const auto& [likeness, times] : findings.dropped()) {
    if (times == 0 || !policy.severity(likeness.rule)) continue;
    count(likeness.rule, times);
    causes.add(likeness, times,
               likeness.field == "..." ? "..." : column_of(check.footer, {-1, likeness.leaf, -1}));
  }
  report.causes = causes.take();
  list_findings(report, check.options.listed);
}

std::vector<std::size_t> causes_of_findings(const FileReport& report) {
  std::map<Kind, std::size_t> of_kind;
  for (std::size_t i = 0; i < report.causes.size(); ++i)
    of_kind.try_emplace(kind_of(report.causes[i].first.front()), i);
  std::vector<std::size_t> out;
  out.reserve(report.findings.size());
  for (const ReportedFinding& reported : report.findings) out.push_back(of_kind.at(kind_of(reported)));
  return out;
}

void list_findings(FileReport& report, std::uint64_t most) {
  const std::vector<bool> listed = chosen(report.findings, most);
  std::set<Kind> kinds;
  std::vector<ReportedFinding> all = std::move(report.findings);
  report.findings.clear();
  report.omitted = report.counts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!listed[i]) continue;
    kinds.insert(kind_of(all[i]));
    report.omitted.take(all[i].severity, all[i].finding.times);
    report.findings.push_back(std::move(all[i]));
  }
  for (Cause& cause : report.causes) cause.listed = kinds.contains(kind_of(cause.first.front()));
}

}  // namespace parqproof
