#include "conformance/check/row_trail.hpp"

#include "codec/base/bits.hpp"

namespace parqproof {

void RowTrail::enter(const Page& page) noexcept {
  continues_ = has_levels_ = false;
  rows_.reset();
  if (!page.is_data()) {
    if (page.is_dictionary() || page.is_index()) rows_ = 0;
    return;
  }
  at_row_ = !repeated_ || page.is_v2();
  if (!page.has_member()) return;
  const DataPageHeaderV2& v2 = page.header.data_page_header_v2;
  if (!repeated_) {
    rows_ = page.num_values();
  } else if (page.is_v2() && v2.has(DataPageHeaderV2::id_num_rows)) {
    rows_ = v2.num_rows;
  }
  if (rows_ && *rows_ < 0) rows_.reset();
}

void RowTrail::levels(std::int64_t rows, bool continues) noexcept {
  rows_ = rows;
  continues_ = continues;
  has_levels_ = true;
}

std::optional<RowRange> RowTrail::of_page() const noexcept {
  if (!before_ || !rows_) return std::nullopt;
  const std::int64_t first = *before_ - (continues_ && *before_ > 0 ? 1 : 0);
  const std::int64_t end = saturating_add(*before_, *rows_);
  return first < end ? std::optional(RowRange{first, end - 1}) : std::nullopt;
}

std::optional<RowRange> RowTrail::first_row() const noexcept {
  if (!before_) return std::nullopt;
  const bool inside = (continues_ || (!at_row_ && !has_levels_)) && *before_ > 0;
  return RowRange{*before_ - (inside ? 1 : 0), *before_};
}

void RowTrail::leave() noexcept {
  if (!before_ || !rows_) {
    before_.reset();
  } else {
    before_ = saturating_add(*before_, *rows_);
  }
}

std::optional<std::int64_t> RowTrail::from_here() const noexcept {
  if (!before_) return std::nullopt;
  return *before_ - (!at_row_ && *before_ > 0 ? 1 : 0);
}

void RowTrail::resume(std::optional<std::int64_t> row) noexcept {
  before_ = row;
  at_row_ = true;
}

}  // namespace parqproof
