#include "conformance/verdict/subsumption.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/rules/editions.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

std::pair<std::int32_t, std::int32_t> chunk_of(const Finding& finding) {
  return {finding.place.row_group, finding.place.leaf};
}

std::string_view owner_of(std::string_view field) { return field.substr(0, field.rfind('.')); }

/// Returns true if the finding only repeats, by the row of subsumed.def, what `cause` says. A finding that
/// occurs more often than the cause has occurrences of its own.
bool is_duplicate_of(const Subsumption& pair, const Finding& finding, const Finding& cause) {
  if (finding.rule != pair.rule || cause.rule != pair.by || finding.times > cause.times) return false;
  if (pair.scope == SubsumedIn::chunk) return finding.times == 1;
  if (finding.place != cause.place) return false;
  if (pair.scope == SubsumedIn::owner) return owner_of(finding.field) == owner_of(cause.field);
  return is_part_of(finding.field, cause.field);
}

/// A proposal may change what a column chunk consists of, and so where it begins and what its sizes count.
void attribute_to_proposals(Findings& findings) {
  std::set<std::pair<std::int32_t, std::int32_t>> chunks;
  for (const Finding& finding : findings.all()) {
    const bool is_of_chunk = finding.rule == Rule::edition_undefined && finding.place.row_group >= 0;
    if (is_of_chunk && finding.expected == undefined(Addition::fsst).expected)
      chunks.insert(chunk_of(finding));
  }
  if (chunks.empty()) return;
  findings.attribute(Rule::edition_undefined, 0, [&](const Finding& finding) {
    static constexpr Rule kOfSizes[] = {Rule::file_unreferenced_bytes, Rule::file_unreferenced_zero_bytes,
                                        Rule::row_group_file_offset, Rule::row_group_total_byte_size,
                                        Rule::row_group_total_compressed_size};
    if (finding.rule == Rule::edition_undefined) return false;
    if (std::ranges::find(kOfSizes, finding.rule) != std::end(kOfSizes)) return true;
    const RuleInfo& rule = info(finding.rule);
    return chunks.contains(chunk_of(finding)) &&
           (rule.klass == Class::unsupported || rule.id.starts_with("column-chunk/"));
  });
}

}  // namespace

void attribute_duplicates(Findings& findings) {
  if (!findings.dropped().empty()) return;
  attribute_to_proposals(findings);
  const RuleSet broken = findings.broken();
  const auto is_broken = [&](Rule rule) { return broken[static_cast<std::size_t>(rule)]; };
  for (const Subsumption& pair : subsumptions()) {
    if (!is_broken(pair.rule) || !is_broken(pair.by)) continue;
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Finding>> causes;  // by chunk
    for (const Finding& finding : findings.all()) {
      if (finding.rule == pair.by) causes[chunk_of(finding)].push_back(finding);
    }
    findings.attribute(pair.by, 0, [&](const Finding& finding) {
      const auto at = causes.find(chunk_of(finding));
      return at != causes.end() && std::ranges::any_of(at->second, [&](const Finding& cause) {
               return is_duplicate_of(pair, finding, cause);
             });
    });
  }
}

}  // namespace parqproof
