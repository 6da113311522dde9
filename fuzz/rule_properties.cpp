// Properties of findings and rules: no finding is lost between a fault and the report, and rules are found by
// name.
#include <algorithm>
#include <numeric>
#include <optional>

#include "codec/rules/finding.hpp"
#include "codec/rules/rule.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Each record of six bytes describes findings: the rule, the chunk, the space and the multiplicity of each,
/// the offset, and their number, each in another element of a list.
constexpr std::size_t kRecord = 6;
constexpr std::size_t kMaxRecords = 64;
constexpr std::size_t kKept = 20;
constexpr std::size_t kMany = 30;  // more than are kept

template <typename Take>
void each_finding(Bytes record, Take take) {
  const std::size_t many = record[5] < 250 ? record[5] % 8U : kMany;
  for (std::size_t i = 0; i < many; ++i) {
    Finding finding;
    finding.rule = static_cast<Rule>((record[0] + (record[1] >> 7) * 256U) % kRuleCount);
    finding.place.row_group = (record[1] & 3) - 1;
    finding.place.leaf = (record[1] >> 2 & 3) - 1;
    finding.space = static_cast<Space>(record[2] % 3);
    finding.times = 1 + record[2] / 64U;
    finding.offset = std::uint64_t{record[3]} << 8 | record[4];
    finding.field =
        "list[" + std::to_string(i) + (record[4] % 2 != 0 ? "].part" + std::to_string(i) : "].part");
    take(std::move(finding));
  }
}

/// Number of breaches of the rules that count each one.
std::uint64_t times_of(const Findings& findings) {
  std::uint64_t times = 0;
  for (const Finding& finding : findings.all()) times += reported_once(finding.rule) ? 0 : finding.times;
  for (const auto& [likeness, dropped] : findings.dropped())
    times += reported_once(likeness.rule) ? 0 : dropped;
  return times;
}

/// Returns true if there is at most one finding of each likeness beyond those that are kept, and one of each
/// broken rule beyond the max number of likenesses.
bool is_bounded(const Findings& findings) {
  const std::size_t likenesses = findings.dropped().size();
  return likenesses <= kKept + findings.broken().count() && findings.all().size() <= 2 * kKept + likenesses;
}

/// Attributes the findings of every other leaf to the first rule, in a copy. `times`: of all findings.
std::string consequences_fault(Findings findings, std::uint64_t times) {
  const auto is_consequence = [](const Finding& one) { return one.place.leaf % 2 == 0; };
  const std::size_t kept = findings.all().size();
  findings.attribute(Rule{}, kept / 2, is_consequence);
  findings.attribute(Rule{}, 0, is_consequence);
  if (std::ranges::any_of(findings.primary(), is_consequence)) return "a consequence is primary";
  const auto consequences = static_cast<std::size_t>(
      std::ranges::count_if(findings.all(), [](const Finding& one) { return one.caused_by.has_value(); }));
  if (consequences > kKept) return "more consequences are kept than allowed";
  if (consequences < kKept && times_of(findings) != times) return "consequences are lost, or counted twice";
  findings.fold();
  if (std::ranges::distance(findings.primary()) != std::ssize(findings.all()))
    return "a consequence is not folded";
  return findings.all().size() + consequences <= kept ? "" : "findings are added when they are folded";
}

std::string findings_fault(Bytes input) {
  RuleSet wanted;
  wanted.set();
  Findings all(wanted, kKept);
  Findings front(wanted, kKept);
  Findings back(wanted, kKept);
  RuleSet broken;
  std::uint64_t times = 0;
  const std::size_t records = std::min(input.size() / kRecord, kMaxRecords);
  for (std::size_t i = 0; i < records; ++i) {
    each_finding(input.subspan(i * kRecord, kRecord), [&](Finding finding) {
      broken.set(static_cast<std::size_t>(finding.rule));
      times += reported_once(finding.rule) ? 0 : finding.times;
      (i < records / 2 ? front : back).add(finding);
      all.add(std::move(finding));
    });
  }
  if (all.broken() != broken) return "the broken rules are not those of the findings";
  if (times_of(all) != times) return "findings are lost, or counted twice";
  if (!is_bounded(all)) return "more findings are kept than allowed";
  front.merge(std::move(back));
  if (front.broken() != broken || times_of(front) != times) return "findings are lost when tasks are joined";
  if (!is_bounded(front)) return "more findings are kept than allowed when tasks are joined";
  if (std::string fault = consequences_fault(front, times); !fault.empty()) return fault;
  front.sort();
  const auto position = [](const Finding& finding) { return finding.file_position(); };
  if (!std::ranges::is_sorted(front.all(), {}, position)) return "sorted findings are out of order";
  Findings elsewhere(wanted, kKept);
  all.hand_over_metadata(elsewhere);
  const auto in_metadata = [](const Finding& finding) { return finding.space == Space::metadata; };
  if (std::ranges::any_of(all.all(), in_metadata) || std::ranges::any_of(elsewhere.all(), in_metadata))
    return "a finding in metadata is not handed over";
  if (times_of(all) + times_of(elsewhere) != times) return "findings are lost when they are handed over";
  return (all.broken() | elsewhere.broken()) == broken ? ""
                                                       : "a rule is no longer broken when it is handed over";
}

/// A name belongs to at most one rule; a pattern selects rules by their folder.
std::string names_fault(Bytes input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const std::optional<Rule> found = find_rule(text);
  bool matched = false;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const auto rule = static_cast<Rule>(i);
    const RuleInfo& row = info(rule);
    const std::string_view id = row.id;
    if (to_string(row.klass).empty() || to_string(row.severity).empty() || to_string(row.ground).empty() ||
        to_string(row.binds).empty())
      return "a rule has an attribute without a name";
    if ((found == rule) != (id == text)) return "a rule is not found by its name, or is found by another";
    const bool folder =
        text.size() > 2 && text.ends_with("/*") && id.starts_with(text.substr(0, text.size() - 1));
    if (matches(text, rule) != (folder || id == text))
      return "a pattern matches a rule that it does not name";
    matched = matched || folder || id == text;
  }
  return names_a_rule(text) == matched ? "" : "the rules that a pattern names and matches differ";
}

}  // namespace

void add_rule_properties(std::vector<Property>& properties) {
  properties.push_back({"findings", findings_fault});
  properties.push_back({"rule_names", names_fault});
}

}  // namespace parqproof::fuzz
