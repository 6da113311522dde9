#include "codec/write/index/page_index_builder.hpp"

#include <algorithm>

namespace parqproof {
namespace {

using thrift::set;

}  // namespace

PageIndexBuilder::PageIndexBuilder(const Node& leaf, Order order, bool with_sizes, bool with_nan_counts)
    : leaf_(leaf),
      order_(order),
      with_sizes_(with_sizes),
      with_nan_counts_(with_nan_counts && is_floating(order)) {}

/// The order of bounds among pages with values: both of all neighbours must have it.
void PageIndexBuilder::compare(const Bounds& bounds) {
  if (previous_.exist) {
    const Comparison min = parqproof::compare(order_, previous_.min, bounds.min);
    const Comparison max = parqproof::compare(order_, previous_.max, bounds.max);
    ascending_ = ascending_ && min != Comparison::greater && max != Comparison::greater;
    descending_ = descending_ && min != Comparison::less && max != Comparison::less;
  }
  previous_ = bounds;
}

void PageIndexBuilder::add(const PageCounts& counts, const Bounds& bounds, std::uint64_t nan_count) {
  const bool is_null_page = counts.stored == 0;
  complete_ = complete_ && (is_null_page || bounds.exist);
  if (bounds.exist) compare(bounds);
  null_pages_.add(is_null_page);
  mins_.add({bounds.min, 0, Space::file});
  maxes_.add({bounds.max, 0, Space::file});
  null_counts_.add(static_cast<std::int64_t>(counts.nulls()));
  nan_counts_.add(static_cast<std::int64_t>(nan_count));
  for (const std::uint64_t count : counts.repetitions) repetitions_.add(static_cast<std::int64_t>(count));
  for (const std::uint64_t count : counts.definitions) definitions_.add(static_cast<std::int64_t>(count));
  byte_array_bytes_.add(static_cast<std::int64_t>(counts.byte_array_bytes));
}

void PageIndexBuilder::add_location(std::uint64_t offset, std::uint64_t bytes, std::uint64_t first_row) {
  PageLocation location;
  set(location, PageLocation::id_offset);
  set(location, PageLocation::id_compressed_page_size);
  set(location, PageLocation::id_first_row_index);
  location.offset = static_cast<std::int64_t>(offset);
  location.compressed_page_size = static_cast<std::int32_t>(bytes);
  location.first_row_index = static_cast<std::int64_t>(first_row);
  locations_.add(location);
}

bool PageIndexBuilder::emit_column_index(std::vector<std::uint8_t>& out) const {
  if (order_ == Order::none || !complete_ || pages() == 0) return false;
  ColumnIndex index;
  set(index, ColumnIndex::id_null_pages, ColumnIndex::id_min_values, ColumnIndex::id_max_values,
      ColumnIndex::id_boundary_order, ColumnIndex::id_null_counts);
  index.null_pages = null_pages_.list();
  index.min_values = mins_.list();
  index.max_values = maxes_.list();
  index.boundary_order = ascending_    ? BoundaryOrder::ASCENDING
                         : descending_ ? BoundaryOrder::DESCENDING
                                       : BoundaryOrder::UNORDERED;
  index.null_counts = null_counts_.list();
  if (with_sizes_ && leaf_.max_repetition != 0) {
    set(index, ColumnIndex::id_repetition_level_histograms);
    index.repetition_level_histograms = repetitions_.list();
  }
  if (with_sizes_ && leaf_.max_definition != 0) {
    set(index, ColumnIndex::id_definition_level_histograms);
    index.definition_level_histograms = definitions_.list();
  }
  if (with_nan_counts_) {
    set(index, ColumnIndex::id_nan_counts);
    index.nan_counts = nan_counts_.list();
  }
  thrift::emit(index, out);
  return true;
}

void PageIndexBuilder::emit_offset_index(std::vector<std::uint8_t>& out) const {
  OffsetIndex index;
  set(index, OffsetIndex::id_page_locations);
  index.page_locations = locations_.list();
  if (with_sizes_ && leaf_.type == Type::BYTE_ARRAY) {
    set(index, OffsetIndex::id_unencoded_byte_array_data_bytes);
    index.unencoded_byte_array_data_bytes = byte_array_bytes_.list();
  }
  thrift::emit(index, out);
}

}  // namespace parqproof
