#include "conformance/footer/row_group_rules.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace parqproof {

void RowGroupFields::judge(const RowGroup& group, std::uint32_t index, const RowGroupClaim& claim) {
  const ParsedFooter& footer = check_.footer;
  if (group.fields.misread) return;
  const FindingSite site = FindingSite::of_row_group(check_, index, claim);
  if (group.has(RowGroup::id_columns) && footer.schema_usable &&
      group.columns.count != footer.schema.leaf_count()) {
    site.report(Rule::row_group_column_count, "columns",
                contrast(group.columns.count, footer.schema.leaf_count()));
  }
  if (claim.has_num_rows && claim.num_rows < 0) {
    site.report(Rule::row_group_num_rows_negative, "num_rows", contrast(claim.num_rows, or_more(0)));
  } else if (claim.has_num_rows && claim.num_rows == 0 && !has_values(claim)) {
    site.report(Rule::row_group_empty, "num_rows", contrast(0, or_more(1)));
  }
  if (group.has(RowGroup::id_ordinal) && group.ordinal != static_cast<std::int64_t>(index)) {
    site.report(Rule::row_group_ordinal, "ordinal", contrast(group.ordinal, index));
  }
  if (group.fields.mentions(RowGroup::id_ordinal)) {
    ++ordinals_;
  } else if (!without_ordinal_) {
    without_ordinal_ = footer.row_groups.size();
  }
}

void RowGroupFields::judge_all() const {
  if (ordinals_ == 0 || !without_ordinal_) return;
  FindingSite::of_row_group(check_, *without_ordinal_, check_.footer.row_groups[*without_ordinal_])
      .report(Rule::row_group_ordinal_consistent, "ordinal",
              contrast(kAbsent, "an ordinal, as other row groups have"));
}

/// row-group/num-rows: returns true if columns of the row group claim values, so that it must have rows.
bool RowGroupFields::has_values(const RowGroupClaim& claim) const {
  const auto chunks = std::span(check_.footer.chunks).subspan(claim.first_chunk, claim.chunk_count);
  return std::ranges::any_of(chunks, [](const ChunkClaim& chunk) { return chunk.num_values > 0; });
}

}  // namespace parqproof
