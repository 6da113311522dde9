#include "conformance/indexes/column_index_entries.hpp"

#include <algorithm>
#include <vector>

namespace parqproof {
namespace {

struct ListField {
  std::string_view name;
  ColumnIndex::Id id;
  thrift::List ColumnIndex::* member;
};
constexpr std::array<ListField, kIndexLists.size()> kFields{{
    {"null_pages", ColumnIndex::id_null_pages, &ColumnIndex::null_pages},
    {"min_values", ColumnIndex::id_min_values, &ColumnIndex::min_values},
    {"max_values", ColumnIndex::id_max_values, &ColumnIndex::max_values},
    {"null_counts", ColumnIndex::id_null_counts, &ColumnIndex::null_counts},
    {"nan_counts", ColumnIndex::id_nan_counts, &ColumnIndex::nan_counts},
}};

const ListField& field_of(IndexList list) { return kFields[static_cast<std::size_t>(list)]; }

/// The most frequent length; the first of equally frequent ones.
std::uint64_t usual_length(const std::vector<std::uint32_t>& lengths) {
  std::uint64_t usual = 0;
  std::ptrdiff_t most = 0;
  for (const std::uint32_t length : lengths) {
    const std::ptrdiff_t times = std::ranges::count(lengths, length);
    if (times > most) usual = length;
    most = std::max(most, times);
  }
  return usual;
}

}  // namespace

std::string_view name_of(IndexList list) noexcept { return field_of(list).name; }

IndexEntries::IndexEntries(const ColumnIndex& index, const OffsetIndex* pages, std::int64_t rows,
                           const Limits& limits)
    : index_(&index),
      mins_(index.min_values),
      maxs_(index.max_values),
      nulls_(index.null_counts),
      nans_(index.nan_counts),
      rows_(rows) {
  std::vector<std::uint32_t> lengths;
  if (pages != nullptr) {
    lengths.push_back(pages->page_locations.count);
    pages_.emplace(pages->page_locations, limits);
  }
  for (const IndexList one : kIndexLists) {
    if (has(one)) lengths.push_back(list(one).count);
  }
  count_ = usual_length(lengths);
}

bool IndexEntries::has(IndexList list) const noexcept { return index_->has(field_of(list).id); }

const thrift::List& IndexEntries::list(IndexList list) const noexcept {
  return index_->*field_of(list).member;
}

bool IndexEntries::is_read(IndexList one) const noexcept { return has(one) && list(one).count == count_; }

/// The first row of a page; the number of rows if `ordinal` is one past the last page.
std::optional<std::int64_t> IndexEntries::first_row(std::uint64_t ordinal) {
  if (page_ == ordinal) return next_row_;
  if (ordinal == pages_->count()) return rows_;
  const PageLocation* const page = pages_->at(ordinal);
  return page == nullptr ? std::nullopt : std::optional(page->first_row_index);
}

IndexEntry IndexEntries::at(std::uint64_t ordinal) {
  IndexEntry entry;
  entry.ordinal = ordinal;
  if (is_read(IndexList::null_pages) && ordinal < index_->null_pages.bytes.size())
    entry.is_null_page = index_->null_pages.bytes.data()[ordinal] == 1;
  if (is_read(IndexList::min_values)) entry.min = mins_.at(ordinal);
  if (is_read(IndexList::max_values)) entry.max = maxs_.at(ordinal);
  if (is_read(IndexList::null_counts)) entry.nulls = nulls_.at(ordinal);
  if (is_read(IndexList::nan_counts)) entry.nans = nans_.at(ordinal);
  if (!pages_ || pages_->count() != count_) return entry;
  const std::optional<std::int64_t> first = first_row(ordinal);
  next_row_ = first_row(ordinal + 1);
  page_ = ordinal + 1;
  if (first && next_row_ && *first >= 0 && *first <= *next_row_) entry.rows = *next_row_ - *first;
  return entry;
}

void BoundSequence::add(std::uint64_t ordinal, std::span<const std::uint8_t> min,
                        std::span<const std::uint8_t> max) {
  const auto is_unordered = [this](std::span<const std::uint8_t> value) {
    return compare(order_, value, value) == Comparison::unordered;
  };
  if (is_unordered(min) || is_unordered(max)) {
    comparable_ = false;
    return;
  }
  // A bound that is too far outside is a min that is too small, or a max that is too large.
  const auto breaks = [](Break& order, IndexList list, std::uint64_t page) {
    if (order.times == 0 || (list == IndexList::min_values && order.list == IndexList::max_values)) {
      order.list = list;
      order.ordinal = page;
    }
    ++order.times;
  };
  if (count_ != 0) {
    const Comparison low = compare(order_, min_, min);
    const Comparison high = compare(order_, max_, max);
    if (low == Comparison::greater) breaks(rising_, IndexList::min_values, ordinal);
    if (high == Comparison::greater) breaks(rising_, IndexList::max_values, last_);
    if (low == Comparison::less) breaks(falling_, IndexList::min_values, last_);
    if (high == Comparison::less) breaks(falling_, IndexList::max_values, ordinal);
  }
  min_.assign(min.begin(), min.end());
  max_.assign(max.begin(), max.end());
  last_ = ordinal;
  ++count_;
}

void OutermostBounds::add(std::uint64_t ordinal, const View& min, const View& max) noexcept {
  if (!low_.any || compare(order_, min.bytes, low_.bound.bytes) == Comparison::less)
    low_ = {min, ordinal, true};
  if (!high_.any || compare(order_, max.bytes, high_.bound.bytes) == Comparison::greater)
    high_ = {max, ordinal, true};
}

}  // namespace parqproof
