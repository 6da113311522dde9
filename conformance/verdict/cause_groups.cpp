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

/// Rules whose found and expected name another column or structure: findings that name different ones have
/// different causes.
constexpr std::array kNamesAnother{Rule::bloom_filter_shared, Rule::file_region_shared,
                                   Rule::file_regions_disjoint, Rule::levels_siblings_agree};

/// What a finding says about another column or structure.
std::string named_by(const Finding& finding) {
  if (std::ranges::find(kNamesAnother, finding.rule) == kNamesAnother.end()) return {};
  std::string out;
  for (const FindingValue* value : {&finding.found, &finding.expected}) {
    if (const auto* const phrase = std::get_if<FindingValue::Phrase>(&value->alternatives()))
      out += phrase->text + '\n';
  }
  return out;
}

/// Findings with the same key have the same cause.
struct CauseKey {
  Rule rule{};
  std::string field;
  Severity severity{};
  Form found{};
  Form expected{};
  std::string named;  ///< see named_by()

  friend auto operator<=>(const CauseKey&, const CauseKey&) = default;
};

CauseKey key_of(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  return {finding.rule,           general_field(finding.field), reported.severity,
          form_of(finding.found), form_of(finding.expected),    named_by(finding)};
}

/// Groups the findings of a file, which come in file order, by cause.
class Causes {
 public:
  void add(const ReportedFinding& reported) {
    const Finding& finding = reported.finding;
    const CauseKey key = key_of(reported);
    const auto [at, fresh] = of_key_.try_emplace(key, causes_.size());
    if (fresh) {
      causes_.emplace_back().cause.field = key.field;
      of_field_.try_emplace({finding.rule, -1, key.field}, at->second);
      of_field_.try_emplace(any_field_of(finding.rule), at->second);
    }
    Gathered& gathered = causes_[at->second];
    Cause& cause = gathered.cause;
    if (!cause.first.empty()) {
      const Finding& first = cause.first.front().finding;
      cause.differs = cause.differs || first.found != finding.found || first.expected != finding.expected ||
                      first.detail != finding.detail;
    }
    ++cause.findings;
    cause.times += finding.times;
    if (cause.first.size() < Cause::kPlaces) cause.first.push_back(reported);
    for (const KnownBug* bug : reported.bugs) {
      if (std::ranges::find(cause.bugs, bug) == cause.bugs.end()) cause.bugs.push_back(bug);
    }
    if (finding.place.row_group >= 0) gathered.row_groups.insert(finding.place.row_group);
    gathered.columns[{finding.place.leaf, reported.column}] += finding.times;
  }

  /// Adds findings that were only counted. `column`: their column; kOtherFields if they are of several.
  void add(const Likeness& likeness, std::uint64_t times, const std::string& column) {
    auto at = of_field_.find({likeness.rule, -1, likeness.field});
    if (at == of_field_.end()) at = of_field_.find(any_field_of(likeness.rule));
    if (at == of_field_.end()) return;
    Gathered& gathered = causes_[at->second];
    gathered.cause.findings += times;
    gathered.cause.times += times;
    gathered.cause.differs = true;  // they were only counted
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
  static Likeness any_field_of(Rule rule) { return {rule, -1, std::string(Likeness::kOtherFields)}; }

  struct Gathered {
    Cause cause;
    std::set<std::int32_t> row_groups;
    std::map<std::pair<std::int32_t, std::string>, std::uint64_t> columns;
  };

  std::vector<Gathered> causes_;
  std::map<CauseKey, std::size_t> of_key_;
  std::map<Likeness, std::size_t> of_field_;  // first cause of a rule and a field, and of a rule
};

/// Selects up to `max` of the findings, which are in file order, or all if `max` is 0. Errors precede
/// warnings and infos; within a severity, new findings precede those of the baseline; then the first finding
/// of each rule precedes the others.
std::vector<bool> select_findings(const std::vector<ReportedFinding>& all, std::uint64_t max) {
  if (max == 0 || all.size() <= max) return std::vector<bool>(all.size(), true);
  // Severity; whether it is in the baseline; whether another of its rule precedes it; ordinal.
  using Rank = std::tuple<Severity, bool, bool, std::size_t>;
  RuleSet seen_new;
  RuleSet seen_in_baseline;
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto rule = static_cast<std::size_t>(all[i].finding.rule);
    const bool in_baseline = all[i].known.value_or(false);
    RuleSet& seen = in_baseline ? seen_in_baseline : seen_new;
    ranks.emplace_back(all[i].severity, in_baseline, seen[rule], i);
    seen.set(rule);
  }
  std::ranges::sort(ranks);
  std::vector<bool> out(all.size());
  for (std::size_t i = 0; i < max; ++i) out[std::get<std::size_t>(ranks[i])] = true;
  return out;
}

}  // namespace

std::string column_of(const ParsedFooter& footer, const Place& place) {
  return footer.schema_usable ? footer.schema.leaf_path(place.leaf) : std::string();
}

void report_findings(FileReport& report, FileCheck& check, const Policy& policy) {
  Findings& findings = check.outcome.findings;
  findings.sort();
  const auto add_to_totals = [&](Rule rule, Severity severity, std::uint64_t times) {
    report.counts.add(severity, times);
    if (severity == Severity::warning && is_judgement(info(rule).klass))
      report.failed_on_warning = check.options.fail_on_warning;
  };
  const Losses losses(report.lost, findings.all(), policy);
  Causes causes;
  for (const Finding& finding : findings.all()) {
    const std::optional<Severity> severity = policy.severity(finding.rule);
    if (!severity) continue;
    add_to_totals(finding.rule, *severity, finding.times);
    report.findings.push_back({.finding = finding,
                               .severity = *severity,
                               .column = column_of(check.footer, finding.place),
                               .known = {},
                               .klass = losses.class_of(finding),
                               .bugs = bugs_for(check, finding)});
    causes.add(report.findings.back());
  }
  for (const auto& [likeness, times] : findings.dropped()) {
    const std::optional<Severity> severity = policy.severity(likeness.rule);
    if (times == 0 || !severity) continue;
    add_to_totals(likeness.rule, *severity, times);
    causes.add(likeness, times,
               likeness.field == Likeness::kOtherFields ? std::string(Likeness::kOtherFields)
                                                        : column_of(check.footer, {-1, likeness.leaf, -1}));
  }
  report.causes = causes.take();
  keep_listed_findings(report, check.options.listed);
}

std::vector<std::size_t> causes_of_findings(const FileReport& report) {
  std::map<CauseKey, std::size_t> of_key;
  for (std::size_t i = 0; i < report.causes.size(); ++i)
    of_key.try_emplace(key_of(report.causes[i].first.front()), i);
  std::vector<std::size_t> out;
  out.reserve(report.findings.size());
  for (const ReportedFinding& reported : report.findings) out.push_back(of_key.at(key_of(reported)));
  return out;
}

void keep_listed_findings(FileReport& report, std::uint64_t max) {
  const std::vector<bool> listed = select_findings(report.findings, max);
  std::set<CauseKey> keys;
  std::vector<ReportedFinding> all = std::move(report.findings);
  report.findings.clear();
  report.omitted = report.counts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!listed[i]) continue;
    keys.insert(key_of(all[i]));
    report.omitted.subtract(all[i].severity, all[i].finding.times);
    report.findings.push_back(std::move(all[i]));
  }
  for (Cause& cause : report.causes) cause.listed = keys.contains(key_of(cause.first.front()));
}

}  // namespace parqproof
