#include "conformance/verdict/subsumption.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/rules/editions.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/footer/proposals.hpp"
#include "conformance/geo/geo_columns.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

std::pair<std::int32_t, std::int32_t> chunk_of(const Finding& finding) {
  return {finding.place.row_group, finding.place.leaf};
}

std::string_view owner_of(std::string_view field) { return field.substr(0, field.rfind('.')); }

/// Returns true if the finding only repeats, by the row of subsumed.def, what `cause` says. A finding that
/// occurs more often than the cause has occurrences of its own.
bool is_duplicate_of(const FileCheck& check, const Subsumption& pair, const Finding& finding,
                     const Finding& cause) {
  if (finding.rule != pair.rule || cause.rule != pair.by) return false;
  if (pair.scope == SubsumedIn::box) return has_range_of_values(check, finding.place);
  if (finding.times > cause.times) return false;
  if (pair.scope == SubsumedIn::chunk) return finding.times == 1;
  if (finding.place != cause.place) return false;
  if (pair.scope == SubsumedIn::owner) return owner_of(finding.field) == owner_of(cause.field);
  return is_part_of(finding.field, cause.field);
}

/// The column chunks with an encoding that only a proposal defines. Where such a chunk begins, and what its
/// sizes count, is not known.
class ProposedChunks {
 public:
  explicit ProposedChunks(const FileCheck& check) {
    for (const Finding& finding : check.outcome.findings.all()) {
      if (finding.rule == Rule::edition_undefined && finding.place.row_group >= 0)
        add(check, static_cast<std::size_t>(finding.place.row_group), finding.place.leaf);
    }
  }

  [[nodiscard]] bool empty() const noexcept { return chunks_.empty(); }
  /// Returns true if the finding can be due to a proposal: it is about a chunk, the sums of its row group, or
  /// bytes next to it.
  [[nodiscard]] bool explain(const Finding& finding) const {
    switch (finding.rule) {
      case Rule::edition_undefined:
        return false;
      case Rule::file_unreferenced_bytes:
      case Rule::file_unreferenced_zero_bytes:
        return std::ranges::any_of(extents_, [&](const ByteRange& one) {
          return finding.offset <= one.end && one.begin <= finding.offset + finding.length;
        });
      case Rule::row_group_file_offset:
      case Rule::row_group_total_byte_size:
      case Rule::row_group_total_compressed_size:
        return std::ranges::any_of(chunks_,
                                   [&](const auto& chunk) { return chunk.first == finding.place.row_group; });
      default:
        break;
    }
    const RuleInfo& rule = info(finding.rule);
    if (finding.rule == Rule::file_encrypted_column) return false;  // of any encoding
    return chunks_.contains(chunk_of(finding)) &&
           (rule.klass == Class::unsupported || rule.id.starts_with("column-chunk/"));
  }

 private:
  void add(const FileCheck& check, std::size_t row_group, std::int32_t leaf) {
    if (row_group >= check.footer.row_groups.size()) return;
    const RowGroupClaim& group = check.footer.row_groups[row_group];
    for (std::size_t i = 0; i < group.chunk_count; ++i) {
      const ChunkClaim& claim = check.footer.chunks[group.first_chunk + i];
      ColumnChunk chunk;
      if (!std::cmp_equal(claim.leaf, leaf) || !check.footer.reread(claim, check.options.limits, chunk))
        continue;
      const std::vector<Addition> later = later_encodings(chunk.meta_data, check.options.edition);
      if (std::ranges::none_of(later, [](Addition one) { return info(one).since == Edition::proposed; }))
        continue;
      chunks_.emplace(static_cast<std::int32_t>(row_group), leaf);
      const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(claim.compressed, 0));
      if (claim.file == 0) extents_.push_back({claim.start, claim.start + size});
    }
  }

  std::set<std::pair<std::int32_t, std::int32_t>> chunks_;
  std::vector<ByteRange> extents_;
};

void attribute_to_proposals(FileCheck& check) {
  Findings& findings = check.outcome.findings;
  if (!findings.broke(Rule::edition_undefined)) return;
  const ProposedChunks proposed(check);
  if (proposed.empty()) return;
  findings.attribute(Rule::edition_undefined, 0,
                     [&](const Finding& finding) { return proposed.explain(finding); });
}

}  // namespace

void attribute_duplicates(FileCheck& check) {
  Findings& findings = check.outcome.findings;
  if (!findings.dropped().empty()) return;
  attribute_to_proposals(check);
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
               return is_duplicate_of(check, pair, finding, cause);
             });
    });
  }
}

}  // namespace parqproof
