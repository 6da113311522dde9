#include "conformance/row_group/sorting_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "codec/format/page_index.hpp"
#include "codec/schema/annotations.hpp"
#include "conformance/observers/value_tally.hpp"
#include "conformance/row_group/group_cursors.hpp"
#include "conformance/row_group/sorted_rows.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {
namespace {

std::string entry_path(std::uint32_t entry, std::string_view field) {
  return fmt::format("sorting_columns[{}].{}", entry, field);
}

/// Returns the order by which rows are compared: that of column_orders, or else that defined by the type.
Order sorting_order(const ParsedFooter& footer, std::uint32_t leaf) noexcept {
  return order_of_values(footer.schema.leaf(leaf),
                         leaf < footer.orders.size() ? footer.orders[leaf] : Order::none);
}

/// Name of the type of a column whose order is not defined.
std::string_view name_of_type(const Node& leaf) {
  const LogicalKind kind = leaf.logical.kind;
  return has_no_order(kind) ? name_of(kind) : kTypeEnum.name_of(static_cast<int>(leaf.type));
}

bool is_all_null(const Node& leaf) {
  return leaf.logical.stated == LogicalKind::UNKNOWN && leaf.logical.kind == LogicalKind::UNKNOWN;
}

/// The sorting columns of one row group.
class RowGroupSorting {
 public:
  RowGroupSorting(FileCheck& check, std::size_t index)
      : check_(check),
        group_(check.footer.row_groups[index]),
        site_(FindingSite::of_row_group(check, index, group_)) {}

  void run() {
    if (group_.sorting_columns.count == 0) {
      site_.report(Rule::sorting_empty_list, "sorting_columns", contrast("no column", "one or more"));
      return;
    }
    thrift::for_each<SortingColumn>(
        group_.sorting_columns, check_.options.limits,
        [this](const SortingColumn& column, std::uint32_t entry) { take(column, entry); });
    if (!keys_.empty() && !check_.outcome.tallies.empty() && check_.options.tier == Tier::values &&
        check_.takes(static_cast<std::uint64_t>(site_.place.row_group)))
      judge_rows();
    if (twice_)
      fault_of_entry(Rule::sorting_column_twice, twice_->entry, contrast(twice_->leaf, "each column once"));
  }

 private:
  /// Reports a violation by an entry; each rule is reported once per list.
  void fault_of_entry(Rule rule, std::uint32_t entry, Contrast what) {
    if (reported_.insert(rule).second) site_.report(rule, entry_path(entry, "column_idx"), std::move(what));
  }
  [[nodiscard]] std::string path_of(std::uint32_t leaf) const {
    return check_.footer.schema.dotted_path(check_.footer.schema.leaf_index(leaf));
  }

  /// Judges an entry. Rows are compared by the entries before the first one that cannot be judged.
  void take(const SortingColumn& column, std::uint32_t entry) {
    const std::size_t leaves = check_.footer.schema.leaf_count();
    if (!column.has(SortingColumn::id_column_idx)) {
      open_end_ = true;
      return;
    }
    if (column.column_idx < 0 || static_cast<std::size_t>(column.column_idx) >= leaves) {
      open_end_ = true;
      return fault_of_entry(Rule::sorting_column_index, entry,
                            contrast(column.column_idx, number_or_between(0, leaves - 1)));
    }
    const auto leaf = static_cast<std::uint32_t>(column.column_idx);
    if (!listed_.insert(leaf).second) {
      if (!twice_) twice_ = {entry, leaf};
      return;
    }
    const Node& node = check_.footer.schema.leaf(leaf);
    const Order order = sorting_order(check_.footer, leaf);
    if (node.max_repetition > 0) {
      open_end_ = true;
      return fault_of_entry(
          Rule::sorting_repeated_column, entry,
          contrast("the repeated column " + path_of(leaf), "a column of one value in a row"));
    }
    if (is_all_null(node)) return;
    if (order == Order::none) {
      open_end_ = true;
      if (!node.readable || node.logical.is_misfit || node.logical.is_conflict)
        return;  // reported by another rule
      return fault_of_entry(Rule::sorting_undefined_order, entry,
                            contrast("column " + path_of(leaf) + " of " + std::string(name_of_type(node)),
                                     "a column whose order is defined"));
    }
    const bool usable = node.readable && !node.damaged && column.has(SortingColumn::id_descending) &&
                        column.has(SortingColumn::id_nulls_first);
    if (!usable) open_end_ = true;
    if (!open_end_) keys_.push_back({entry, leaf, order, column.descending, column.nulls_first});
  }

  [[nodiscard]] std::size_t chunk_of(const SortKey& key) const { return group_.first_chunk + key.leaf; }

  void leave_out(std::string why) const {
    check_.outcome.not_run.push_back({std::string(kOrderOfRows), std::move(why), site_.place, {}});
  }

  /// Returns the reason why the rows cannot be compared; empty if they can.
  [[nodiscard]] std::string obstacle() const {
    const std::optional<std::int64_t> rows = check_.tally(chunk_of(keys_.front())).rows;
    std::uint64_t bytes = 0;
    for (const SortKey& key : keys_) {
      const ChunkTotal tally = check_.tally(chunk_of(key));
      const ChunkClaim& claim = check_.footer.chunks[chunk_of(key)];
      if (claim.file != 0) return "a sorting column is in another file";
      if (!claim.readable || !tally.walked || !tally.sums_known || !tally.rows || tally.may_have_more_entries)
        return "a sorting column is incomplete";
      if (tally.rows != rows) return "its columns differ in their rows";
      bytes += tally.end - tally.start;
    }
    if (check_.outcome.work.afford(bytes)) return {};
    return too_much_work(check_, check_.footer.chunks[chunk_of(keys_.front())], "column chunks");
  }

  void judge_rows() {
    const ChunkTotal first = check_.tally(chunk_of(keys_.front()));
    if (first.rows && *first.rows < 2) return;
    const bool proven = first.sort_proof == SortProof::distinct ||
                        (first.sort_proof == SortProof::sorted && keys_.size() == 1);
    if (!proven) {
      std::string why = obstacle();
      if (!why.empty()) return leave_out(std::move(why));
      SortingVerdict verdict = compare_rows(check_, group_, keys_);
      settle_twice(verdict);
      report(Rule::sorting_nan, verdict.nan);
      if (!verdict.why_not.empty()) return leave_out(std::move(verdict.why_not));
      report(Rule::sorting_order, verdict.order);
      report(Rule::sorting_nulls, verdict.nulls);
      if (verdict.order || verdict.nulls) return;
    }
    page_order();
  }

  /// If the rows are not sorted by a column that is listed twice, the first entry has a wrong column_idx.
  void settle_twice(SortingVerdict& verdict) {
    std::optional<SortingVerdict::Fault>& fault = verdict.order ? verdict.order : verdict.nulls;
    if (!twice_ || !fault || keys_[fault->key].leaf != twice_->leaf) return;
    fault->field = "column_idx";
    if (verdict.nulls) verdict.order = std::exchange(verdict.nulls, std::nullopt);
    twice_.reset();
  }

  void report(Rule rule, std::optional<SortingVerdict::Fault>& found) const {
    if (found) site_.report(rule, entry_path(keys_[found->key].entry, found->field), std::move(found->what));
  }

  /// sorting/page-order
  void page_order() const {
    const SortKey& key = keys_.front();
    if (key.entry != 0 || !site_.wants(Rule::sorting_page_order)) return;
    const auto chunk_of_region = [&](const Region& region) { return check_.footer.chunk_index(region); };
    // The regions are in the order of the chunks.
    const auto regions = std::ranges::equal_range(check_.regions, chunk_of(key), {}, chunk_of_region);
    const auto region = std::ranges::find(regions, Region::Kind::column_index, &Region::kind);
    if (region == regions.end() || region->damaged || region->encrypted || !region->length_known ||
        region->length > check_.options.limits.footer_bytes())
      return;
    std::vector<std::uint8_t> room(static_cast<std::size_t>(region->length));
    if (!check_.input.source.read(region->offset, room)) return;
    const View bytes{room, region->offset, Space::file};
    thrift::Reader reader(bytes, {}, check_.options.limits);
    ColumnIndex index;
    if (!reader.read(index) || !index.has(ColumnIndex::id_boundary_order) || !has_different_pages(index))
      return;
    const BoundaryOrder due = key.descending ? BoundaryOrder::DESCENDING : BoundaryOrder::ASCENDING;
    if (index.boundary_order == due) return;
    const Place place{site_.place.row_group, static_cast<std::int32_t>(key.leaf), -1};
    FindingSite{site_.findings, place, bytes, ColumnIndex::kType, "column_index"}.report(
        Rule::sorting_page_order, "boundary_order",
        contrast(symbol(kBoundaryOrderEnum, index.boundary_order), symbol(kBoundaryOrderEnum, due)));
  }

  /// Returns true if two pages with values have different min values.
  [[nodiscard]] static bool has_different_pages(const ColumnIndex& index) {
    std::optional<View> first;
    bool differ = false;
    thrift::for_each_string(index.min_values, [&](View min_value, std::uint32_t) {
      if (min_value.empty()) return;  // usually a page without values
      if (!first) first = min_value;
      differ = differ || !std::ranges::equal(first->bytes, min_value.bytes);
    });
    return differ;
  }

  FileCheck& check_;
  const RowGroupClaim& group_;
  FindingSite site_;
  std::vector<SortKey> keys_;
  std::unordered_set<std::uint32_t> listed_;  // leaves that are listed
  std::unordered_set<Rule> reported_;
  struct Repeated {
    std::uint32_t entry;
    std::uint32_t leaf;
  };
  std::optional<Repeated> twice_;  // the first entry that repeats a column
  bool open_end_ = false;          // further entries are not used as keys
};

}  // namespace

std::optional<SortKey> first_sort_key(const Context& context, const RowGroupClaim& group) {
  thrift::Reader reader(group.sorting_columns.bytes, {}, context.options.limits);
  SortingColumn column;
  if (group.sorting_columns.count == 0 || !reader.read(column) || column.column_idx < 0 ||
      static_cast<std::size_t>(column.column_idx) >= context.footer.schema.leaf_count())
    return std::nullopt;
  const auto leaf = static_cast<std::uint32_t>(column.column_idx);
  const Order order = sorting_order(context.footer, leaf);
  if (order == Order::none || context.footer.schema.leaf(leaf).max_repetition > 0) return std::nullopt;
  return SortKey{0, leaf, order, column.descending, column.nulls_first};
}

void check_sorting(FileCheck& check) {
  if (!check.footer.schema_usable) return;
  for (std::size_t i = 0; i < check.footer.row_groups.size(); ++i) {
    const RowGroupClaim& group = check.footer.row_groups[i];
    if (group.complete && group.has_sorting_columns) RowGroupSorting(check, i).run();
  }
}

}  // namespace parqproof
