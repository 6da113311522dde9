#include "conformance/verdict/subsumption.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace parqproof {
namespace {

std::string_view owner_of(std::string_view field) { return field.substr(0, field.rfind('.')); }

/// A finding with the cause of the duplicate is about the same thing as `finding`.
bool is_duplicate_of(const Subsumption& pair, const Finding& finding, const Finding& cause) {
  if (finding.rule != pair.rule || cause.rule != pair.by || finding.times > cause.times) return false;
  if (pair.scope == SubsumedIn::chunk) return finding.times == 1;
  if (finding.place != cause.place) return false;
  if (pair.scope == SubsumedIn::owner) return owner_of(finding.field) == owner_of(cause.field);
  return is_part_of(finding.field, cause.field);
}

}  // namespace

void fold_duplicates(FileCheck& check, const RuleSet& wanted) {
  Findings& findings = check.outcome.findings;
  const auto is_broken = [&](Rule rule) { return findings.broken()[static_cast<std::size_t>(rule)]; };
  std::vector<Subsumption> pairs;
  std::ranges::copy_if(subsumptions(), std::back_inserter(pairs),
                       [&](const Subsumption& pair) { return is_broken(pair.rule) && is_broken(pair.by); });
  if (pairs.empty() || !findings.dropped().empty()) return;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<const Finding*>> causes;  // by chunk
  for (const Finding& finding : findings.all()) {
    if (std::ranges::any_of(pairs, [&](const Subsumption& pair) { return pair.by == finding.rule; }))
      causes[{finding.place.row_group, finding.place.leaf}].push_back(&finding);
  }
  drop(findings, wanted, [&](const Finding& finding) {
    const auto at = causes.find({finding.place.row_group, finding.place.leaf});
    if (at == causes.end()) return false;
    return std::ranges::any_of(pairs, [&](const Subsumption& pair) {
      return std::ranges::any_of(
          at->second, [&](const Finding* cause) { return is_duplicate_of(pair, finding, *cause); });
    });
  });
}

}  // namespace parqproof
