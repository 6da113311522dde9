#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/bits.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// The sum of rows over the pages of a chunk, while all of them are known.
class RowCount {
 public:
  void add(std::int64_t rows) noexcept { rows_ = saturating_add(rows_, rows); }
  /// Adds the rows from the page header, which v1 pages of a repeated column do not have.
  void add_by_header(const Page& page, const Node& leaf) noexcept {
    if (!page.is_data() || !page.has_member()) return;
    if (page.is_v2()) {
      add(page.header.data_page_header_v2.num_rows);
    } else if (leaf.max_repetition == 0) {
      add(page.num_values());
    } else {
      mark_unknown();
    }
  }
  /// Marks the sum as unknown, because a page has an unknown number of rows.
  void mark_unknown() noexcept { known_ = false; }
  [[nodiscard]] std::optional<std::int64_t> known() const noexcept {
    return known_ ? std::optional(rows_) : std::nullopt;
  }

 private:
  std::int64_t rows_ = 0;
  bool known_ = true;
};

}  // namespace parqproof
