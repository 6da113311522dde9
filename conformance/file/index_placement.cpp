#include "conformance/file/index_placement.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/state/region_fields.hpp"

namespace parqproof {
namespace {

using Kind = Region::Kind;

bool is_page_index(Kind kind) { return kind == Kind::column_index || kind == Kind::offset_index; }

/// The starts of the first and of the last column chunk of a row group, in file order.
struct GroupSpan {
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = 0;
};

class IndexPlaces {
 public:
  explicit IndexPlaces(FileCheck& check) : check_(check) {}

  void run() {
    const auto is_index = [](const Region& region) { return region.kind != Kind::column_chunk; };
    if (std::ranges::none_of(check_.regions, is_index)) return;
    take_regions();
    for (const Region* filter : filters_) location_of(*filter);
    order_of_filters();
    if (!check_.outcome.regions_known) return;
    location_of_indexes();
    grouping();
    companions();
  }

 private:
  /// Reports a finding at the field that states the offset of the region.
  void report(Rule rule, const Region& region, Contrast what) {
    FindingSite::of_chunk(check_, check_.footer.chunk_of(region))
        .report(rule, offset_field(region.kind), std::move(what));
  }

  /// Sorts the regions into lists by kind.
  void take_regions() {
    groups_.resize(check_.footer.row_groups.size());
    for (const Region& region : check_.regions) {
      by_offset_.push_back(&region);
      if (region.kind == Kind::bloom_filter) filters_.push_back(&region);
      if (is_page_index(region.kind)) first_index_ = std::min(first_index_, region.offset);
      if (region.kind != Kind::column_chunk) continue;
      chunks_.push_back(&region);
      GroupSpan& span = groups_[region.row_group];
      span.first = std::min(span.first, region.offset);
      span.last = std::max(span.last, region.offset);
      last_chunk_ = std::max(last_chunk_, region.offset);
    }
    const auto offset = [](const Region* region) { return region->offset; };
    std::ranges::stable_sort(by_offset_, {}, offset);
    std::ranges::sort(chunks_, {}, offset);
    std::ranges::sort(groups_, {}, &GroupSpan::first);
    std::uint64_t last = 0;
    for (GroupSpan& span : groups_) span.last = last = std::max(last, span.last);
  }

  /// Returns true if the byte is in a column chunk; file/regions-disjoint judges structures that begin
  /// there.
  [[nodiscard]] bool is_in_chunk(std::uint64_t byte) const {
    const auto next =
        std::ranges::upper_bound(chunks_, byte, {}, [](const Region* chunk) { return chunk->offset; });
    return next != chunks_.begin() && byte < (*std::prev(next))->end();
  }

  /// bloom-filter/location, bloom-filter/location-behind-indexes
  void location_of(const Region& filter) {
    if (first_index_ < filter.offset) {
      report(Rule::bloom_filter_location_behind_indexes, filter, contrast(filter.offset, first_index_));
    }
    if (chunks_.empty() || is_in_chunk(filter.offset)) return;
    // `last` of a span is the maximum of all spans up to it.
    const auto next = std::ranges::upper_bound(groups_, filter.offset, {}, &GroupSpan::first);
    const bool is_before_all = next == groups_.begin();
    if (!is_before_all && std::prev(next)->last < filter.offset) return;
    report(Rule::bloom_filter_location, filter,
           contrast(is_before_all ? "in front of all row groups" : "between two column chunks of a row group",
                    "a place behind a row group"));
  }

  /// Returns true if a finding reports that the offset of the filter or its chunk may be wrong.
  [[nodiscard]] bool is_in_doubt(const Region& filter) const {
    const Place place = place_of(filter);
    return std::ranges::any_of(check_.outcome.findings.primary(), [&](const Finding& finding) {
      return finding.place == place && evidence(finding.rule, Suspicion::filter_offset) != 0;
    });
  }

  /// bloom-filter/order: reported once, for the first filter whose offset is before that of an earlier
  /// column.
  void order_of_filters() {
    const Region* previous = nullptr;
    for (const Region* filter : filters_) {  // in the order of row groups and columns
      if (previous != nullptr && filter->offset < previous->offset) {
        if (!is_in_doubt(*filter) && !is_in_doubt(*previous))
          report(Rule::bloom_filter_order, *filter, contrast(filter->offset, previous->offset));
        return;
      }
      previous = filter;
    }
  }

  /// page-index/location
  void location_of_indexes() {
    const ChunkClaim* reported = nullptr;  // chunk of the last finding, to report it once
    for (const Region& region : check_.regions) {
      const bool early = region.offset < last_chunk_ && !is_in_chunk(region.offset);
      if (!is_page_index(region.kind) || !early || reported == &check_.footer.chunk_of(region)) continue;
      reported = &check_.footer.chunk_of(region);
      report(Rule::page_index_location, region, contrast(region.offset, last_chunk_));
    }
  }

  /// page-index/grouping
  void grouping() {
    std::vector<bool> begun(check_.footer.row_groups.size());
    const Region* before = nullptr;
    for (const Region* region : by_offset_) {
      if (region->kind == Kind::offset_index) {
        const bool together =
            before != nullptr && before->kind == Kind::offset_index && before->row_group == region->row_group;
        if (begun[region->row_group] && !together)
          report(Rule::page_index_grouping, *region, contrast(name(*before), "no other structure"));
        begun[region->row_group] = true;
      }
      before = region;
    }
  }

  static std::string name(const Region& region) {
    switch (region.kind) {
      case Kind::column_chunk:
        return "a column chunk";
      case Kind::column_index:
        return "a column index";
      case Kind::offset_index:
        return "an offset index of row group " + std::to_string(region.row_group);
      case Kind::bloom_filter:
        return "a Bloom filter";
    }
    return {};
  }

  /// page-index/offset-alone, page-index/all-columns
  void companions() {
    struct Indexes {
      bool column = false;
      bool offset = false;
    };
    std::vector<Indexes> indexes(check_.footer.chunks.size());
    for (const Region& region : check_.regions) {
      Indexes& of_chunk = indexes[check_.footer.chunk_index(region)];
      of_chunk.column |= region.kind == Kind::column_index;
      of_chunk.offset |= region.kind == Kind::offset_index;
    }
    for (const RowGroupClaim& group : check_.footer.row_groups) {
      const auto first = indexes.begin() + static_cast<std::ptrdiff_t>(group.first_chunk);
      const auto last = first + static_cast<std::ptrdiff_t>(group.chunk_count);
      const bool any = std::any_of(first, last, [](const Indexes& one) { return one.offset; });
      for (auto one = first; any && one != last; ++one) {
        const ChunkClaim& chunk = check_.footer.chunks[static_cast<std::size_t>(one - indexes.begin())];
        const FindingSite site = FindingSite::of_chunk(check_, chunk);
        if (!one->offset)
          site.report(Rule::page_index_all_columns, "offset_index_offset", contrast(kAbsent, "an offset"));
        if (one->offset && !one->column)
          site.report(Rule::page_index_offset_alone, "column_index_offset", contrast(kAbsent, "an offset"));
      }
    }
  }

  FileCheck& check_;
  std::vector<const Region*> by_offset_;  // all regions
  std::vector<const Region*> chunks_;     // by their offsets
  std::vector<const Region*> filters_;    // in the order of row groups and columns
  std::vector<GroupSpan> groups_;         // by their first bytes
  std::uint64_t first_index_ = UINT64_MAX;
  std::uint64_t last_chunk_ = 0;  // start of the last column chunk
};

}  // namespace

void check_index_places(FileCheck& check) { IndexPlaces(check).run(); }

}  // namespace parqproof
