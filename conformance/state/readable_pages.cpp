#include "conformance/state/readable_pages.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"

namespace parqproof {

void ReadablePages::dictionary(const Page& page) {
  if (!dictionary_) dictionary_ = Dictionary{page.offset, page.end()};
}

void ReadablePages::page(const Page& page, std::int64_t rows, bool continues,
                         std::optional<std::int64_t> before) {
  last_page_ = {in_gap_ ? PageStretch() : stretches_.back(), rows, in_gap_, continues};
  if (in_gap_) {
    PageStretch stretch;
    stretch.offset = page.offset;
    stretch.first = page.ordinal();
    stretch.before = before;
    stretch.gap = gap_;
    stretch.continues = continues;
    stretches_.push_back(stretch);
    in_gap_ = false;
    gap_ = 0;
  }
  PageStretch& stretch = stretches_.back();
  stretch.end = page.end();
  stretch.last = page.ordinal();
  stretch.rows = saturating_add(stretch.rows, rows);
}

void ReadablePages::lose_last_page() {
  if (in_gap_ || !last_page_) return;
  if (last_page_->is_first) {
    gap_ = stretches_.back().gap;
    stretches_.pop_back();
    in_gap_ = true;
  } else {
    stretches_.back() = last_page_->without;
    gap_ = 0;
  }
  gap(last_page_->rows, !last_page_->continues);
  last_page_.reset();
}

void ReadablePages::gap(std::optional<std::int64_t> rows, bool ends_row) {
  damaged_ = true;
  if (!in_gap_) stretches_.back().is_cut = !ends_row;
  in_gap_ = true;
  gap_ = rows && gap_ ? std::optional(saturating_add(*gap_, *rows)) : std::nullopt;
}

void ReadablePages::settle(std::optional<std::int64_t> rows) {
  // Places stretches from the last to the first; returns false if the pages do not have these rows.
  const auto place_all = [&] {
    std::optional<std::int64_t> end = rows;  // rows that begin before the next stretch
    std::optional<std::int64_t> next_gap = gap_;
    bool fits = true;
    for (auto at = stretches_.rbegin(); at != stretches_.rend(); ++at) {
      end = end && next_gap ? std::optional(*end - *next_gap) : std::nullopt;
      if (end) end = *end - at->rows;
      fits = fits && (!end || *end >= 0) && (!end || !at->before || *at->before == *end);
      if (!at->before) at->before = end;
      fits = fits && (!at->before || saturating_add(*at->before, at->rows) <= rows.value_or(INT64_MAX));
      next_gap = at->gap;
    }
    return fits;
  };
  if (!place_all()) {
    // The row count in the header of a damaged page may be wrong as well, so pages before and after it are
    // placed without it.
    for (PageStretch& stretch : stretches_) {
      const bool is_first = &stretch == &stretches_.front() && stretch.gap == 0 && stretch.before == 0;
      if (is_first) continue;
      stretch.before.reset();
      stretch.gap.reset();
    }
    if (in_gap_) gap_.reset();
    if (!place_all()) stretches_.clear();
  }
  std::erase_if(stretches_, [](const PageStretch& stretch) { return !stretch.before; });
}

std::optional<RowRange> ReadablePages::rows_of_lost_page(std::int32_t ordinal) const {
  const auto next = std::ranges::find(stretches_, ordinal + 1, &PageStretch::first);
  if (next == stretches_.end()) return std::nullopt;
  std::int64_t first = 0;
  if (next != stretches_.begin()) {
    const PageStretch& previous = *std::prev(next);
    if (previous.last != ordinal - 1) return std::nullopt;
    first = previous.end_row();
  } else if (ordinal != 0) {
    return std::nullopt;
  }
  const std::int64_t last = next->first_row() - 1;
  return first <= last ? std::optional(RowRange{first, last}) : std::nullopt;
}

}  // namespace parqproof
