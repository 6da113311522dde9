#include "conformance/variant/shredding_use.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {

void ShreddingUse::report() {
  if (!check_.outcome.findings.wants(Rule::shredding_never_typed) || check_.footer.row_groups.empty() ||
      has_errors())
    return;
  judge(columns_.top);
}

bool ShreddingUse::has_errors() const {
  const auto is_of_group = [&](const Finding& finding) {
    return finding.place.leaf >= 0 && static_cast<std::size_t>(finding.place.leaf) >= columns_.first &&
           static_cast<std::size_t>(finding.place.leaf) < columns_.last;
  };
  return std::ranges::any_of(check_.outcome.findings.all(), [&](const Finding& finding) {
    return info(finding.rule).severity == Severity::error && is_of_group(finding);
  });
}

/// Returns true if shredding/could-be-typed was reported: typed_value would have values.
bool ShreddingUse::could_be_typed(const variant::Part& part) const {
  return part.value && std::ranges::any_of(check_.outcome.findings.all(), [&](const Finding& finding) {
           return finding.rule == Rule::shredding_could_be_typed &&
                  std::cmp_equal(finding.place.leaf, *part.value);
         });
}

/// Judges a value that occurs in some row, and the parts of its typed_value.
void ShreddingUse::judge(const variant::Part& part) {
  const Counts& own = counts(part);
  if (part.typed == variant::Part::Typed::none || own.values == 0) return;
  const bool is_typeless = part.typed == variant::Part::Typed::primitive && part.kind == variant::Kind::null;
  if (own.typed == 0) {
    if (!is_typeless && !could_be_typed(part))
      report_columns(part.typed_first, part.typed_last, "none of " + counted(own.values, "value"));
    return;
  }
  for (const variant::Part& nested : part.parts) {
    if (part.typed == variant::Part::Typed::object && counts(nested).values == 0) {
      const Nodes& nodes = check_.footer.schema.nodes();
      const std::size_t first = nodes[nested.node].leaf;
      report_columns(first, first + check_.footer.schema.leaves_below(nested.node),
                     "no such field of " + counted(own.typed, "object"));
    } else {
      judge(nested);
    }
  }
}

/// Reports columns without a value at the first chunk of the first of them.
void ShreddingUse::report_columns(std::size_t first, std::size_t last, std::string found) {
  std::uint64_t bytes = 0;
  for (const RowGroupClaim& group : check_.footer.row_groups) {
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      const ChunkTotal tally = check_.tally(group.first_chunk + leaf);
      bytes += tally.end - tally.start;
    }
  }
  std::string detail =
      last - first == 1 ? "; its column takes " : "; its " + counted(last - first, "column") + " take ";
  detail += counted(bytes, "byte");
  const ChunkClaim& claim = check_.footer.chunks[check_.footer.row_groups.front().first_chunk + first];
  FindingSite::of_chunk(check_, claim)
      .report(Rule::shredding_never_typed, "meta_data.total_compressed_size",
              contrast(std::move(found), "at least one", std::move(detail)));
}

}  // namespace parqproof
