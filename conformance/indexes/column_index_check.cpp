#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/schema/value_text.hpp"
#include "conformance/indexes/column_index_entries.hpp"
#include "conformance/indexes/index_observers.hpp"
#include "conformance/observers/page_tally.hpp"
#include "conformance/statistics/statistics_check.hpp"
#include "conformance/values/value_legality.hpp"

namespace parqproof {
namespace {

std::string_view type_name(const Node& leaf) { return kTypeEnum.name_of(static_cast<int>(leaf.type)); }

/// Returns true if the type of the leaf has no order, so bounds have no meaning. INT96 has a rule of its own,
/// and a column of type UNKNOWN has no values. A wrong annotation has its own finding.
bool is_orderless(const Node& leaf) {
  const ResolvedType& type = leaf.logical;
  return order_of(leaf) == Order::none && leaf.type != Type::INT96 && type.stated != LogicalKind::UNKNOWN &&
         !type.is_misfit && !type.is_conflict;
}

const OffsetIndex* offset_index_of(const ChunkScope& scope) {
  return scope.is_offset_index_sound() ? &scope.page_index.offset.parsed : nullptr;
}

std::string path_of(IndexList list, std::uint64_t ordinal) {
  return fmt::format("{}[{}]", name_of(list), ordinal);
}

/// Compares the ColumnIndex of a chunk with the data pages (column-index/*). Each entry is judged once, in
/// the order of the pages: by its page as far as that is known, else alone. Findings are made at the end,
/// because an index whose number of entries is not the number of pages does not describe these pages.
class ColumnIndexCheck {
 public:
  ColumnIndexCheck() = default;
  /// `scope` has a ColumnIndex, and outlives the check.
  explicit ColumnIndexCheck(const ChunkScope& scope)
      : scope_(&scope),
        order_(scope.undecodable_reason.empty() ? scope.column_order() : Order::none),
        entries_(scope.page_index.column.parsed, offset_index_of(scope),
                 scope.context.footer.row_groups[scope.claim.row_group].num_rows,
                 scope.context.options.limits),
        sequence_(order_),
        value_sequence_(order_),
        outermost_(order_) {}

  /// Returns true if there are fields that only the values can confirm.
  [[nodiscard]] bool needs_values() const noexcept {
    const FindingSite& site = scope_->site;
    const bool bounds = order_ != Order::none && (site.wants(Rule::column_index_bounds) ||
                                                  site.wants(Rule::column_index_all_nan_page));
    const bool nans = entries_.has(IndexList::nan_counts) && is_floating(order_of(scope_->leaf)) &&
                      site.wants(Rule::column_index_nan_counts);
    return bounds || nans;
  }
  /// Judges the entry of a data page that was read. `ordinal`: of the page among the data pages. `tally`: of
  /// its values; null if they are not known, and then `find` is not used.
  void page(std::uint64_t ordinal, const PageEnd& end, const ValueTally* tally = nullptr,
            const PageClaims::Find& find = {}) {
    if (ordinal < next_ || ordinal >= entries_.count()) return;
    values_known_ = values_known_ && tally != nullptr;
    for (; next_ < ordinal; ++next_) {
      values_known_ = false;
      judge(entries_.at(next_), {});
    }
    judge(entries_.at(next_++), {&end, tally, &find});
  }
  /// Number of entries that are judged.
  [[nodiscard]] std::uint64_t entries() const noexcept { return entries_.count(); }

  /// Called after the last readable page: judges the remaining entries, and makes the findings. `data_pages`:
  /// number of data pages, if known.
  void end(std::optional<std::uint64_t> data_pages) {
    if (next_ < entries_.count()) values_known_ = false;
    for (; next_ < entries_.count(); ++next_) judge(entries_.at(next_), {});
    const std::uint64_t pages = data_pages.value_or(entries_.count());
    judge_lengths(pages);
    judge_complete();
    if (pages != entries_.count()) return;
    for (Pending& one : pending_) {
      report(one.rule, path_of(one.list, one.ordinal), std::move(one.what), one.times);
    }
    judge_boundary_order();
    if (!values_known_) judge_chunk_bounds();
  }

 private:
  /// The page of an entry, as far as it was read.
  struct Evidence {
    const PageEnd* page = nullptr;       ///< null if it was not read
    const ValueTally* values = nullptr;  ///< null if they are not known
    const PageClaims::Find* find = nullptr;

    [[nodiscard]] bool has_levels() const noexcept { return page != nullptr && page->levels_known; }
  };
  /// The findings of one rule in one list.
  struct Pending {
    Rule rule{};
    IndexList list{};
    std::uint64_t ordinal = 0;  ///< of the first entry
    std::uint64_t times = 0;
    Contrast what;
  };
  using MakeContrast = std::function<Contrast()>;

  /// Notes a finding; only the first of its rule and list calls `make_contrast`.
  void fault(Rule rule, IndexList list, std::uint64_t ordinal, const MakeContrast& make_contrast) {
    if (!scope_->site.wants(rule)) return;
    const auto known = std::ranges::find_if(
        pending_, [&](const Pending& one) { return one.rule == rule && one.list == list; });
    if (known != pending_.end()) {
      ++known->times;
    } else {
      pending_.push_back({rule, list, ordinal, 1, make_contrast()});
    }
  }

  /// Makes a finding at a field of the index.
  void report(Rule rule, std::string_view path, Contrast what, std::uint64_t times = 1) const {
    scope_->column_index_site().report(rule, path, std::move(what), times);
  }

  void judge(const IndexEntry& entry, const Evidence& evidence) {
    const bool counted = judge_null_count(entry, evidence);
    judge_nan_count(entry, evidence);
    if (!entry.is_null_page) return sequence_.pass_over();  // null_pages is absent
    if (!*entry.is_null_page || entry.has_bounds()) has_orderless_bounds_ = true;
    // column-index/all-nan-page
    if (evidence.values != nullptr && order_ != Order::none && !is_total(order_) &&
        evidence.values->values.only_nans()) {
      fault(Rule::column_index_all_nan_page, IndexList::min_values, entry.ordinal,
            [] { return contrast("no value but NaN", "no ColumnIndex"); });
      return sequence_.pass_over();
    }
    const bool is_null_page_valid =
        evidence.has_levels() ? judge_null_page(entry, evidence) : judge_null_page_by_counts(entry, counted);
    if (!is_null_page_valid) return sequence_.pass_over();
    if (*entry.is_null_page) {
      judge_null_bounds(entry);
    } else {
      judge_bounds(entry, evidence);
    }
  }

  /// column-index/null-counts, -leaf, -range. Returns true if the count has no known fault.
  [[nodiscard]] bool judge_null_count(const IndexEntry& entry, const Evidence& evidence) {
    if (!entry.nulls) return false;
    const std::int64_t stated = *entry.nulls;
    const Node& leaf = scope_->leaf;
    const bool required = leaf.max_definition == 0;
    const bool known = evidence.has_levels();
    const auto entries = known ? static_cast<std::int64_t>(evidence.page->entries) : INT64_MAX;
    if (stated < 0 || stated > (required ? 0 : entries)) {
      fault(Rule::column_index_null_counts_range, IndexList::null_counts, entry.ordinal, [&] {
        if (required) return contrast(stated, 0);
        return contrast(stated, known ? between(0, entries) : or_more(0));
      });
      return false;
    }
    if (!known) return true;
    const LevelSums& levels = evidence.page->levels;
    const auto nulls = static_cast<std::int64_t>(evidence.page->entries - levels.stored);
    if (stated == nulls) return true;
    fault(is_leaf_null_count(leaf, stated, levels.null_leaves, levels.null_elements)
              ? Rule::column_index_null_counts_leaf
              : Rule::column_index_null_counts,
          IndexList::null_counts, entry.ordinal, [&] { return contrast(stated, nulls); });
    return false;
  }

  /// column-index/nan-counts
  void judge_nan_count(const IndexEntry& entry, const Evidence& evidence) {
    if (!entry.nans || !is_floating(order_of(scope_->leaf))) return;
    const std::int64_t stated = *entry.nans;
    if (evidence.values != nullptr) {
      const auto nans = static_cast<std::int64_t>(evidence.values->nans);
      if (stated != nans) {
        fault(Rule::column_index_nan_counts, IndexList::nan_counts, entry.ordinal,
              [&] { return contrast(stated, nans); });
      }
    } else if (stated < 0) {
      fault(Rule::column_index_nan_counts, IndexList::nan_counts, entry.ordinal,
            [&] { return contrast(stated, or_more(0)); });
    }
  }

  /// column-index/null-pages: returns true if null_pages matches the levels of the page. A page without
  /// entries may be a null page or not.
  [[nodiscard]] bool judge_null_page(const IndexEntry& entry, const Evidence& evidence) {
    if (evidence.page->entries == 0) return *entry.is_null_page;
    const bool has_only_nulls = evidence.page->levels.stored == 0;
    if (has_only_nulls == *entry.is_null_page) return true;
    fault(Rule::column_index_null_pages, IndexList::null_pages, entry.ordinal,
          [=] { return has_only_nulls ? contrast("false", "true") : contrast("true", "false"); });
    return false;
  }

  /// column-index/null-page-counts, if the levels are not known: null_pages and null_counts contradict each
  /// other, and the bounds decide which of them is wrong. Returns false if null_pages is.
  [[nodiscard]] bool judge_null_page_by_counts(const IndexEntry& entry, bool counted) {
    if (!counted || entry.rows.value_or(0) == 0) return true;
    const bool is_null_page = *entry.is_null_page;
    const bool flat = scope_->leaf.max_repetition == 0;
    const bool has_values = *entry.nulls == 0 || (flat && *entry.nulls < *entry.rows);
    const bool has_only_nulls = flat && *entry.nulls == *entry.rows;
    if (is_null_page ? !has_values : !has_only_nulls) return true;
    if (is_null_page != entry.has_bounds()) {
      fault(Rule::column_index_null_page_counts, IndexList::null_counts, entry.ordinal, [&] {
        return contrast(
            "null_counts says " + std::to_string(*entry.nulls),
            is_null_page ? "the number of entries of a null page" : "less than the entries of the page");
      });
      return true;
    }
    fault(Rule::column_index_null_page_counts, IndexList::null_pages, entry.ordinal, [=] {
      return is_null_page ? contrast("null_pages says true", "false")
                          : contrast("null_pages says false", "true");
    });
    return false;
  }

  /// column-index/null-page-bounds
  void judge_null_bounds(const IndexEntry& entry) {
    for (const auto& [list, bound] :
         {std::pair{IndexList::min_values, entry.min}, {IndexList::max_values, entry.max}}) {
      if (!bound || bound->empty()) continue;
      const std::size_t size = bound->size();
      fault(Rule::column_index_null_page_bounds, list, entry.ordinal, [size] { return contrast(size, 0); });
    }
  }

  void judge_bounds(const IndexEntry& entry, const Evidence& evidence) {
    if (is_orderless(scope_->leaf) || !scope_->undecodable_reason.empty()) return;
    const bool low = entry.min && judge_bound_form(entry, IndexList::min_values, *entry.min);
    const bool high = entry.max && judge_bound_form(entry, IndexList::max_values, *entry.max);
    if (order_ == Order::none) return;
    const bool is_low_valid = low && judge_bound(entry, evidence, IndexList::min_values, *entry.min);
    const bool is_high_valid = high && judge_bound(entry, evidence, IndexList::max_values, *entry.max);
    if (!is_low_valid || !is_high_valid) return sequence_.pass_over();
    if (compare(order_, entry.min->bytes, entry.max->bytes) == Comparison::greater) {
      // column-index/min-max-order: the wrong bound is not known without values
      fault(Rule::column_index_min_max_order, IndexList::min_values, entry.ordinal,
            [&] { return distinguished(entry.min->bytes, entry.max->bytes, scope_->leaf); });
      return sequence_.pass_over();
    }
    sequence_.add(entry.ordinal, entry.min->bytes, entry.max->bytes);
    outermost_.add(entry.ordinal, *entry.min, *entry.max);
    if (evidence.values != nullptr && !evidence.values->values.empty()) {
      value_sequence_.add(entry.ordinal, evidence.values->values.min(), evidence.values->values.max());
    } else {
      value_sequence_.pass_over();
    }
  }

  /// column-index/bound-length, bound-shortened, boolean-bound, entry-size. Returns true if the bound can be
  /// compared with values of the type.
  [[nodiscard]] bool judge_bound_form(const IndexEntry& entry, IndexList list, const View& bound) {
    const Node& leaf = scope_->leaf;
    if (is_length_unknown(leaf)) return false;
    if (!has_length(leaf, bound)) {
      const bool shortened = is_shortened(leaf, bound);
      fault(shortened ? Rule::column_index_bound_shortened : Rule::column_index_bound_length, list,
            entry.ordinal, [&] { return contrast(bound.size(), bound_length(leaf)); });
      return shortened;
    }
    if (leaf.type == Type::BOOLEAN && bound.bytes[0] > 1) {
      fault(Rule::column_index_boolean_bound, list, entry.ordinal,
            [&] { return contrast(bound.bytes[0], bound.bytes[0] & 1); });
    }
    if (bound.size() > kMaxReasonableBoundBytes && leaf.type == Type::BYTE_ARRAY) {
      fault(Rule::column_index_entry_size, list, entry.ordinal,
            [&] { return contrast(bound.size(), at_most(kMaxReasonableBoundBytes)); });
    }
    return true;
  }

  /// column-index/bounds, bound-attained, bound-value, bound-document. Returns false if the bound does not
  /// enclose the values of its page, or is no value of the logical type; true if the values are not known.
  [[nodiscard]] bool judge_bound_against_values(const IndexEntry& entry, const Evidence& evidence,
                                                IndexList list, const View& bound) {
    if (evidence.values == nullptr || evidence.values->values.empty()) return true;
    const bool lower = list == IndexList::min_values;
    const MinMax& values = evidence.values->values;
    const PlainBytes truth = lower ? values.min() : values.max();
    const BoundPosition position = position_of(truth, order_, lower, bound.bytes);
    const bool nan = is_nan(order_, bound.bytes);
    // Under the total order a bound is NaN if all values are NaN, and only then.
    if (position == BoundPosition::outside || nan != values.only_nans()) {
      fault(Rule::column_index_bounds, list, entry.ordinal, [&] {
        Contrast both = distinguished(bound.bytes, truth, scope_->leaf);
        const std::optional<FoundValue> first = (*evidence.find)([&](std::span<const std::uint8_t> value) {
          return position_of(value, order_, lower, bound.bytes) == BoundPosition::outside;
        });
        if (first) both.detail = describe_first_outside(lower, first->text(scope_->leaf, true));
        return both;
      });
      return false;
    }
    if (position == BoundPosition::inside && (nan || order_ == Order::int96)) {
      fault(Rule::column_index_bound_attained, list, entry.ordinal,
            [&] { return distinguished(bound.bytes, truth, scope_->leaf); });
    }
    if (scope_->site.wants(Rule::column_index_bound_value)) {
      const std::optional<FindingValue> violated = violated_requirement(bound.bytes, scope_->leaf);
      if (violated && !violated_requirement(truth, scope_->leaf)) {
        fault(Rule::column_index_bound_value, list, entry.ordinal,
              [&] { return contrast(short_value(bound.bytes, scope_->leaf), *violated); });
        return false;
      }
    }
    if (scope_->site.wants(Rule::column_index_bound_document) && is_cut_off(bound.bytes, scope_->leaf) &&
        !is_cut_off(truth, scope_->leaf)) {
      fault(Rule::column_index_bound_document, list, entry.ordinal,
            [&] { return contrast(short_value(bound.bytes, scope_->leaf), "a whole document"); });
    }
    return true;
  }

  /// column-index/nan-bound, zero-bound, and the rules of judge_bound_against_values(). Returns false if the
  /// bound is wrong.
  [[nodiscard]] bool judge_bound(const IndexEntry& entry, const Evidence& evidence, IndexList list,
                                 const View& bound) {
    if (is_nan(order_, bound.bytes) && !is_total(order_)) {
      fault(Rule::column_index_nan_bound, list, entry.ordinal, [] { return contrast("NaN", "a number"); });
      return false;
    }
    if (!judge_bound_against_values(entry, evidence, list, bound)) return false;
    const bool lower = list == IndexList::min_values;
    if ((order_ == Order::floating || order_ == Order::float16) && is_zero(bound.bytes, !lower)) {
      fault(Rule::column_index_zero_bound, list, entry.ordinal,
            [lower] { return lower ? contrast("0.0", "-0.0") : contrast("-0.0", "0.0"); });
    }
    return true;
  }

  /// The rules about the complete index: column-index/int96, undefined-order, nan-counts-type,
  /// null-counts-missing.
  void judge_complete() const {
    const Node& leaf = scope_->leaf;
    if (leaf.type == Type::INT96 && order_ != Order::int96) {
      scope_->site.report(Rule::column_index_int96, "column_index_offset",
                          contrast("a ColumnIndex", "INT96_TIMESTAMP_ORDER, or none"));
    }
    if (is_orderless(leaf)) {
      scope_->site.report(
          has_orderless_bounds_ ? Rule::column_index_undefined_order
                                : Rule::column_index_undefined_order_empty,
          "column_index_offset",
          contrast(has_orderless_bounds_ ? "a ColumnIndex with bounds" : "a ColumnIndex of null pages",
                   "none"));
    }
    if (entries_.has(IndexList::nan_counts) && !is_floating(order_of(leaf)))
      report(Rule::column_index_nan_counts_type, "nan_counts",
             contrast(type_name(leaf), "FLOAT, DOUBLE or FLOAT16"));
    if (!entries_.has(IndexList::null_counts) &&
        !scope_->page_index.column.parsed.fields.mentions(ColumnIndex::id_null_counts))
      report(Rule::column_index_null_counts_missing, "null_counts", contrast(kAbsent, "one count per page"));
  }

  /// column-index/list-length. No finding is made if all lists have as many entries as the OffsetIndex: the
  /// fault is then the page count of the OffsetIndex.
  void judge_lengths(std::uint64_t pages) const {
    const OffsetIndex* const offsets = offset_index_of(*scope_);
    const auto has_offset_index_count = [&](IndexList one) {
      return !entries_.has(one) ||
             (offsets != nullptr && entries_.list(one).count == offsets->page_locations.count);
    };
    if (std::ranges::all_of(kIndexLists, has_offset_index_count)) return;
    for (const IndexList one : kIndexLists) {
      if (!entries_.has(one) || entries_.list(one).count == pages) continue;
      if (one == IndexList::nan_counts && !is_floating(order_of(scope_->leaf))) continue;
      report(Rule::column_index_list_length, name_of(one), contrast(entries_.list(one).count, pages));
    }
  }

  /// column-index/boundary-order, boundary-order-unused. If the min and max values of the pages are in the
  /// stated order, the first bound out of order is wrong, otherwise boundary_order is.
  void judge_boundary_order() const {
    const ColumnIndex& index = scope_->page_index.column.parsed;
    if (order_ == Order::none || !index.has(ColumnIndex::id_boundary_order) || !sequence_.is_comparable())
      return;
    const BoundaryOrder stated = index.boundary_order;
    const bool ascending = sequence_.is_ascending();
    const bool descending = sequence_.is_descending();
    const auto both = [&] {
      const std::string_view real = ascending ? "ASCENDING" : descending ? "DESCENDING" : "UNORDERED";
      return contrast(symbol(kBoundaryOrderEnum, stated), real);
    };
    if (stated == BoundaryOrder::ASCENDING || stated == BoundaryOrder::DESCENDING) {
      if (sequence_.is(stated)) return;
      const BoundSequence::Break& first = sequence_.break_of(stated);
      const bool is_bound_wrong = value_sequence_.is_intact() && value_sequence_.is(stated);
      report(Rule::column_index_boundary_order,
             is_bound_wrong ? path_of(first.list, first.ordinal) : "boundary_order", both(),
             is_bound_wrong ? first.times : 1);
    } else if (stated == BoundaryOrder::UNORDERED && (ascending || descending) && sequence_.count() > 1 &&
               sequence_.is_intact()) {
      report(Rule::column_index_boundary_order_unused, "boundary_order", both());
    }
  }

  /// column-index/chunk-bounds, if the values are not known: with values, the wrong one of index and
  /// Statistics has a finding already.
  void judge_chunk_bounds() const {
    const Statistics& statistics = scope_->meta().statistics;
    const Node& leaf = scope_->leaf;
    if (!scope_->meta().has(ColumnMetaData::id_statistics) || order_ == Order::none || !sequence_.is_intact())
      return;
    const auto judge_list = [&](IndexList list, const View& bound, bool exact) {
      const OutermostBounds::End& outermost = outermost_.of(list);
      if (!exact || !outermost.any || !has_length(leaf, bound)) return;
      const bool lower = list == IndexList::min_values;
      if (position_of(bound.bytes, order_, lower, outermost.bound.bytes) != BoundPosition::outside) return;
      report(Rule::column_index_chunk_bounds, path_of(list, outermost.ordinal),
             distinguished(outermost.bound.bytes, bound.bytes, leaf));
    };
    judge_list(IndexList::min_values, statistics.min_value,
               statistics.has(Statistics::id_min_value) && statistics.is_min_value_exact);
    judge_list(IndexList::max_values, statistics.max_value,
               statistics.has(Statistics::id_max_value) && statistics.is_max_value_exact);
  }

  const ChunkScope* scope_ = nullptr;
  Order order_ = Order::none;
  IndexEntries entries_;
  std::uint64_t next_ = 0;        // entry
  BoundSequence sequence_;        // of the bounds without a fault
  BoundSequence value_sequence_;  // of the min and max values of the same pages
  OutermostBounds outermost_;
  std::vector<Pending> pending_;
  bool has_orderless_bounds_ = false;  // an entry states bounds, and the column has no order
  bool values_known_ = true;           // of all pages so far
};

class ColumnIndexObserver final : public ChunkObserver, public PageClaims {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage&) override {
    if (!scope.page_index.column.sound) return {};
    scope_ = &scope;
    check_ = ColumnIndexCheck(scope);
    if (check_.needs_values()) scope.services.page_values.subscribe(*this);
    return {.pages = true, .end = true};
  }

  [[nodiscard]] bool are_about(const Page&) override {
    return scope_->position().data_page && *scope_->position().data_page < check_.entries();
  }
  void judge(const PageEnd& end, const ValueTally& tally, const Find& find) override {
    check_.page(*scope_->position().data_page, end, &tally, find);
  }

  /// Judges a page without values.
  void end_page(const PageEnd& end) override {
    if (scope_->position().data_page) check_.page(*scope_->position().data_page, end);
  }
  void end_chunk(const ChunkEnd& end) override { check_.end(end.data_pages); }

 private:
  const ChunkScope* scope_ = nullptr;
  ColumnIndexCheck check_;
};

}  // namespace

void check_column_index_without_pages(const ChunkScope& scope) {
  if (scope.page_index.column.sound) ColumnIndexCheck(scope).end(0);
}

std::unique_ptr<ChunkObserver> column_index_observer() { return std::make_unique<ColumnIndexObserver>(); }

}  // namespace parqproof
