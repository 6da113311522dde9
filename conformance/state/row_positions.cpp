#include "conformance/state/row_positions.hpp"

#include "codec/base/bits.hpp"

namespace parqproof {

void RowPositions::enter(const Page& page) noexcept {
  continues_ = has_levels_ = false;
  rows_.reset();
  if (!page.is_data()) {
    if (page.is_dictionary() || page.is_index()) rows_ = 0;
    return;
  }
  v2_ = page.is_v2();
  at_row_ = pages_end_rows();
  if (!page.has_member()) return;
  const DataPageHeaderV2& v2 = page.header.data_page_header_v2;
  if (!repeated_) {
    rows_ = page.num_values();
  } else if (page.is_v2() && v2.has(DataPageHeaderV2::id_num_rows)) {
    rows_ = v2.num_rows;
  }
  if (rows_ && *rows_ < 0) rows_.reset();
}

void RowPositions::levels(std::int64_t rows, bool continues) noexcept {
  rows_ = rows;
  continues_ = continues;
  has_levels_ = true;
  splits_ = splits_ || (continues && v2_);
}

std::optional<RowRange> RowPositions::of_page() const noexcept {
  if (!before_ || !rows_) return std::nullopt;
  const std::int64_t first = *before_ - (continues_ && *before_ > 0 ? 1 : 0);
  const std::int64_t end = saturating_add(*before_, *rows_);
  return first < end ? std::optional(RowRange{first, end - 1}) : std::nullopt;
}

std::optional<RowRange> RowPositions::first_row() const noexcept {
  if (!before_) return std::nullopt;
  const bool inside = (continues_ || (!at_row_ && !has_levels_)) && *before_ > 0;
  return RowRange{*before_ - (inside ? 1 : 0), *before_};
}

void RowPositions::keep(const Page& page, bool can_be_read, ReadablePages& pages) const {
  const bool has_rows = page.is_data() && rows_.has_value();
  if (can_be_read && page.is_dictionary()) {
    pages.dictionary(page);
  } else if (can_be_read && has_rows) {
    pages.page(page, *rows_, continues_, before_);
  } else if (!can_be_read && !page.is_index()) {
    const bool is_sound = page.sound && page.faults == 0;
    pages.gap(is_sound ? rows_ : std::nullopt, at_row_);
  }
}

void RowPositions::leave(const Page& page, bool can_be_read, bool is_faulty) {
  keep(page, can_be_read, pages_);
  keep(page, can_be_read && !is_faulty, sound_pages_);
  if (!before_ || !rows_) {
    before_.reset();
  } else {
    before_ = saturating_add(*before_, *rows_);
  }
}

std::optional<std::int64_t> RowPositions::from_here() const noexcept {
  if (!before_) return std::nullopt;
  return *before_ - (!at_row_ && *before_ > 0 ? 1 : 0);
}

void RowPositions::resume(std::optional<std::int64_t> row) {
  for (ReadablePages* const pages : {&pages_, &sound_pages_}) {
    pages->gap(row && before_ ? std::optional(*row - *before_) : std::nullopt, pages_end_rows());
    if (row) pages->begin_with_rows();  // the OffsetIndex names them
  }
  before_ = row;
  at_row_ = true;
}

void RowPositions::end(bool at_end) {
  if (at_end) return;
  pages_.gap(std::nullopt, pages_end_rows());
  sound_pages_.gap(std::nullopt, pages_end_rows());
}

}  // namespace parqproof
