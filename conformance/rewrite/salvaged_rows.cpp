#include <algorithm>
#include <map>
#include <utility>

#include "codec/rules/rule.hpp"
#include "conformance/rewrite/rewriting.hpp"

namespace parqproof {
namespace {

/// Returns true if the columns so far have the same levels in the nodes that they share.
bool agree(const std::vector<std::pair<std::uint32_t, LevelFingerprint::Value>>& prints,
           std::map<std::uint32_t, LevelFingerprint::Value>& shared) {
  return std::ranges::all_of(prints, [&](const auto& one) {
    return shared.try_emplace(one.first, one.second).first->second == one.second;
  });
}

}  // namespace

/// Rows that are intact in all columns.
std::vector<RowPart> Rewriting::common_rows(const RowGroupDamage& damage, std::uint64_t count) const {
  std::vector<RowPart> common;
  if (count != 0) common.push_back({0, count, {}, {}});
  for (const std::size_t leaf : leaves_) {
    const auto damaged = damage.columns.find(leaf);
    if (damaged == damage.columns.end()) continue;
    std::vector<RowPart> both;
    for (const RowPart& one : common) {
      for (const RowPart& other : damaged->second.parts) {
        const std::uint64_t from = std::max(one.first, other.first);
        const std::uint64_t to = std::min(one.end, other.end);
        if (from < to) both.push_back({from, to, {}, {}});
      }
    }
    common = std::move(both);
  }
  return common;
}

/// Reads the rows of a column that are in `common`: writes them, or checks them if `to` is null. Sets
/// `failed` to the row of the row group at which it failed.
bool Rewriting::take_common(std::size_t index, const SourceRowGroup& group, const std::vector<RowPart>& parts,
                            const std::vector<RowPart>& common, ChunkWriter* to, Failed& failed) {
  auto part = parts.begin();
  std::optional<ColumnRows> rows;
  std::uint64_t at = 0;
  AncestorPrints prints(footer_.schema(), leaves_[index]);
  const auto reads = [&](std::uint64_t end, bool wanted) {
    std::uint64_t left = end - at;
    const bool good = !wanted         ? rows->pass(left)
                      : to != nullptr ? rows->write(left, *to)
                                      : rows->check(left, prints);
    at = end - left;
    if (good && left == 0) return true;
    failed = {at, rows->page(), rows->why(), {}};
    if (good) failure_.set_message("the column has fewer rows than its row group");
    return false;
  };
  for (const RowPart& wanted : common) {
    while (part != parts.end() && part->end <= wanted.first) {
      ++part;
      rows.reset();
    }
    if (!rows) {
      SourceRowGroup::Chunk chunk = group.chunks[index];
      if (part->extent) {
        chunk.stored.extent = *part->extent;
        chunk.stored.part = part->part;
      }
      rows.emplace(context_, leaves_[index], failure_, options_);
      at = part->first;
      failed = {at, -1, {}, {}};
      if (!rows->open(chunk)) return false;
    }
    if (!reads(wanted.first, false) || !reads(wanted.end, true)) return false;
  }
  const std::vector<LevelFingerprint::Value> values = prints.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    failed.prints.emplace_back(prints.ancestors()[i], values[i]);
  return true;
}

void Rewriting::leave_out(std::uint32_t ordinal, std::size_t leaf, RowGap gap) {
  const Place place{static_cast<std::int32_t>(ordinal), static_cast<std::int32_t>(leaf), gap.first_page};
  const Schema& schema = footer_.schema();
  LeftOutPart part{place, gap.last_page, schema.dotted_path(schema.leaf_index(leaf)), std::nullopt,
                   gap.cause ? std::move(*gap.cause) : damage_.cause_at(place)};
  if (gap.first < gap.end)
    part.rows =
        RowRange{static_cast<std::int64_t>(row_ + gap.first), static_cast<std::int64_t>(row_ + gap.end - 1)};
  out_.left_out.add(std::move(part));
}

/// Names the pages of written rows whose values contradict their statistics.
void Rewriting::name_contradicted(std::uint32_t ordinal, const RowGroupDamage& damage,
                                  const std::vector<RowPart>& common) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
  for (const auto& [leaf, pages] : damage.contradicted) {
    if (!std::ranges::binary_search(leaves_, leaf)) continue;
    for (const ContradictedPages& one : pages) {
      const auto before = rows.size();
      for (const RowPart& part : common) {
        const std::uint64_t first = std::max(part.first, static_cast<std::uint64_t>(one.rows.first));
        const std::uint64_t end = std::min(part.end, static_cast<std::uint64_t>(one.rows.last) + 1);
        if (first < end) rows.emplace_back(first, end);
      }
      if (rows.size() == before) continue;
      const Schema& schema = footer_.schema();
      const auto first = static_cast<std::int64_t>(row_);
      out_.left_out.add_contradicted(
          {{static_cast<std::int32_t>(ordinal), static_cast<std::int32_t>(leaf), one.first},
           one.last,
           schema.dotted_path(schema.leaf_index(leaf)),
           RowRange{first + one.rows.first, first + one.rows.last},
           DamageCause{one.finding, {}, {}}});
    }
  }
  std::ranges::sort(rows);
  std::uint64_t counted_to = 0;
  for (const auto& [first, end] : rows) {
    const std::uint64_t from = std::max(first, counted_to);
    if (from < end) out_.left_out.contradicted_rows += end - from;
    counted_to = std::max(counted_to, end);
  }
}

/// Writes the rows of a row group that are intact in all columns. All of them are read once before, so that
/// what cannot be read is known when the row group begins.
bool Rewriting::salvage(std::uint32_t ordinal, const SourceRowGroup& group) {
  RowGroupDamage damage = damage_.of(ordinal);
  const std::uint64_t count = damage.rows.value_or(group.rows.value_or(0));
  out_.left_out.requested += count;
  std::vector<RowPart> common;
  if (damage.rows && group.chunks.size() == leaves_.size()) {
    common = common_rows(damage, count);
    bool agrees = true;
    bool is_cut = false;
    std::map<std::uint32_t, LevelFingerprint::Value> shared;
    // Once more after a cut: columns before it were compared in more rows.
    do {
      agrees = true;
      is_cut = false;
      shared.clear();
      for (std::size_t i = 0; i < leaves_.size(); ++i) {
        Failed failed;
        while (!take_common(i, group, damage.of(leaves_[i]).parts, common, nullptr, failed)) {
          if (failure_.finding() == nullptr && failure_.why().empty()) return false;  // the medium failed
          damage.of(leaves_[i]).cut(failed.row, count, failed.page, failure_.release());
          common = common_rows(damage, count);
          is_cut = true;
          failed = {};
        }
        agrees = agree(failed.prints, shared) && agrees;
      }
    } while (is_cut && !shared.empty());
    if (!agrees) {
      // It is not known which rows disagree.
      damage.of(leaves_.front()).cut(0, count, -1, std::nullopt);
      common.clear();
    }
    for (const std::size_t leaf : leaves_) {
      for (const RowGap& gap : damage.of(leaf).gaps) leave_out(ordinal, leaf, gap);
    }
  } else if (!leaves_.empty()) {
    leave_out(ordinal, leaves_.front(), {0, count, -1, -1, {}});
  }
  std::uint64_t kept = 0;
  for (const RowPart& part : common) kept += part.end - part.first;
  out_.left_out.rows += count - kept;
  name_contradicted(ordinal, damage, common);
  row_ += count;
  if (kept == 0) return true;
  if (WriteStatus begun = writer_->begin_row_group(); !begun) return stop(begun.error());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const std::expected<ChunkWriter*, std::string> to = writer_->next_column();
    if (!to) return stop(to.error());
    Failed failed;
    if (!take_common(i, group, damage.of(leaves_[i]).parts, common, *to, failed))
      return failed.why.empty() ? false : stop(failed.why);
  }
  if (WriteStatus ended = writer_->end_row_group(kept); !ended) return stop(ended.error());
  out_.rows += kept;
  ++out_.row_groups;
  return true;
}

}  // namespace parqproof
