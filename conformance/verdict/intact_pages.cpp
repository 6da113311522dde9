#include "conformance/verdict/intact_pages.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/row_group/row_group_totals.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {
namespace {

/// Column chunks whose Statistics are read again to find the origin of values, for each row group.
constexpr std::size_t kMaxComparedChunks = 1000;

/// Rows [first, end).
using Rows = std::pair<std::int64_t, std::int64_t>;

/// Returns true if the footer states these bounds for the leaf in that row group.
bool states_bounds(const FileCheck& check, std::size_t row_group, std::size_t leaf,
                   const ValueOrigin& values) {
  const RowGroupClaim& group = check.footer.row_groups[row_group];
  if (leaf >= group.chunk_count) return false;
  const ChunkClaim& claim = check.footer.chunks[group.first_chunk + leaf];
  ColumnChunk chunk;
  if (!claim.has_statistics || !check.footer.reread(claim, check.options.limits, chunk)) return false;
  const std::optional<StatedBounds> stated =
      stated_bounds(chunk.meta_data.statistics, check.footer.schema.leaf(leaf));
  return stated && std::ranges::equal(stated->min.bytes, values.min) &&
         std::ranges::equal(stated->max.bytes, values.max);
}

/// Returns true if the footer states these bounds for the leaf in another row group; the nearest are
/// compared.
bool is_of_other_row_group(const FileCheck& check, std::size_t row_group, std::size_t leaf,
                           const ValueOrigin& values, std::size_t& compared) {
  const std::size_t count = check.footer.row_groups.size();
  for (std::size_t distance = 1; distance < count && compared < kMaxComparedChunks; ++distance) {
    for (const std::size_t other : {row_group - distance, row_group + distance}) {
      if (other >= count) continue;  // also if it is less than 0
      ++compared;
      if (states_bounds(check, other, leaf, values)) return true;
    }
  }
  return false;
}

/// The rows that have values in intact pages of a leaf, in ascending order.
std::vector<Rows> rows_of(const IntactPages& pages, std::int64_t rows) {
  if (pages.all) return {{0, rows}};
  std::vector<Rows> out;
  if (pages.some == nullptr) return out;
  for (const PageStretch& stretch : pages.some->stretches())
    out.emplace_back(stretch.first_row(), std::min(stretch.end_row(), rows));
  return out;
}

std::vector<Rows> in_both(const std::vector<Rows>& a, const std::vector<Rows>& b) {
  std::vector<Rows> out;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const Rows both{std::max(i->first, j->first), std::min(i->second, j->second)};
    if (both.first < both.second) out.push_back(both);
    if (i->second < j->second)
      ++i;
    else
      ++j;
  }
  return out;
}

}  // namespace

IntactPages intact_pages(const FileCheck& check, std::size_t row_group, std::size_t leaf, std::int64_t rows) {
  const std::size_t chunk = check.footer.row_groups[row_group].first_chunk + leaf;
  const ChunkTotal tally = check.tally(chunk);
  const ChunkDetails& details = check.outcome.tallies.details(chunk);
  const bool has_other_rows = tally.sums_known && tally.rows && *tally.rows != rows;
  const bool is_in_doubt = details.damage ? details.damage->stretches().empty() : has_other_rows;
  const ReadablePages* const pages = (is_in_doubt && details.doubt ? details.doubt : details.damage).get();
  return {pages == nullptr && !has_other_rows, pages};
}

std::optional<std::size_t> leaf_of_other_rows(const FileCheck& check, std::size_t row_group) {
  const RowGroupClaim& group = check.footer.row_groups[row_group];
  const auto details = [&](std::size_t leaf) -> const ChunkDetails& {
    return check.outcome.tallies.details(group.first_chunk + leaf);
  };
  bool has_damage = false;
  for (std::size_t leaf = 0; leaf < group.chunk_count; ++leaf)
    has_damage = has_damage || details(leaf).damage;
  std::size_t compared = 0;
  for (std::size_t leaf = 0; leaf < group.chunk_count; ++leaf) {
    const ValueOrigin* const values = details(leaf).origin.get();
    if (values == nullptr || (values->min.empty() && values->max.empty())) continue;
    if ((has_damage && values->all_outside) ||
        is_of_other_row_group(check, row_group, leaf, *values, compared))
      return leaf;
  }
  return std::nullopt;
}

bool has_intact_rows(const FileCheck& check, const std::vector<Lost>& lost) {
  if (check.outcome.tallies.empty()) return false;
  std::set<std::int32_t> unreadable;  // row groups with a lost chunk
  for (const Lost& one : lost) {
    if (one.what == LostPart::column_chunk || one.what == LostPart::file)
      unreadable.insert(one.place.row_group);
  }
  for (std::size_t i = 0; i < check.footer.row_groups.size(); ++i) {
    const RowGroupClaim& group = check.footer.row_groups[i];
    const std::optional<std::int64_t> rows = rows_of_group(check, i);
    if (!rows || *rows <= 0 || group.chunk_count == 0 || !check.takes(i) ||
        unreadable.contains(static_cast<std::int32_t>(i)))
      continue;
    std::vector<Rows> intact{{0, *rows}};
    for (std::size_t leaf = 0; leaf < group.chunk_count && !intact.empty(); ++leaf)
      intact = in_both(intact, rows_of(intact_pages(check, i, leaf, *rows), *rows));
    if (!intact.empty()) return true;
  }
  return false;
}

}  // namespace parqproof
