#include "conformance/footer/row_group_rules.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace parqproof {

void RowGroupFields::judge(const RowGroup& group, std::uint32_t index, const RowGroupClaim& claim) {
  const ParsedFooter& footer = check_.footer;
  if (group.fields.misread) return;
  if (group.has(RowGroup::id_columns) && footer.schema_usable &&
      group.columns.count != footer.schema.leaf_count()) {
    fault(Rule::row_group_column_count, index, claim, "columns",
          contrast(group.columns.count, footer.schema.leaf_count()));
  }
  if (claim.has_num_rows && claim.num_rows < 0) {
    fault(Rule::row_group_num_rows_negative, index, claim, "num_rows", contrast(claim.num_rows, "0 or more"));
  } else if (claim.has_num_rows && claim.num_rows == 0 && !has_values(claim)) {
    fault(Rule::row_group_empty, index, claim, "num_rows", contrast(0, "1 or more"));
  }
  if (group.has(RowGroup::id_ordinal) && group.ordinal != static_cast<std::int64_t>(index)) {
    fault(Rule::row_group_ordinal, index, claim, "ordinal", contrast(group.ordinal, index));
  }
  if (group.fields.mentions(RowGroup::id_ordinal)) {
    ++ordinals_;
  } else if (!without_ordinal_) {
    without_ordinal_ = footer.row_groups.size();
  }
}

void RowGroupFields::judge_all() const {
  if (ordinals_ == 0 || !without_ordinal_) return;
  fault(Rule::row_group_ordinal_consistent, *without_ordinal_, check_.footer.row_groups[*without_ordinal_],
        "ordinal", contrast("absent", "an ordinal, as other row groups have"));
}

/// A row group whose columns claim values has rows, whatever it says: row-group/num-rows.
bool RowGroupFields::has_values(const RowGroupClaim& claim) const {
  const auto chunks = std::span(check_.footer.chunks).subspan(claim.first_chunk, claim.chunk_count);
  return std::ranges::any_of(chunks, [](const ChunkClaim& chunk) { return chunk.num_values > 0; });
}

void RowGroupFields::fault(Rule rule, std::size_t index, const RowGroupClaim& claim, std::string_view path,
                           Contrast what) const {
  Judge(check_.outcome.findings)
      .field(rule, {static_cast<std::int32_t>(index), -1, -1}, check_.footer.footer_from(claim.struct_offset),
             RowGroup::kType, path, std::move(what));
}

}  // namespace parqproof
