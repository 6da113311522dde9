#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/readable_pages.hpp"

namespace parqproof {

/// The rows of the pages of a column chunk, counted from the first row of the row group, as long as they are
/// known: by num_rows of v2 pages, by num_values if the column is not repeated, else by the levels. The
/// caller reports each page in turn: enter(), levels() if they could be read, leave(). The readable pages and
/// their positions are kept.
class RowPositions {
 public:
  explicit RowPositions(const Node& leaf) noexcept : repeated_(leaf.max_repetition != 0) {}

  void enter(const Page& page) noexcept;
  /// `rows` begin in the page; before the first of them it `continues` the last row of the previous page.
  void levels(std::int64_t rows, bool continues) noexcept;
  /// The page is known to begin with a row.
  void begin_with_row() noexcept { at_row_ = true; }
  /// The rows that have an entry in the page; nothing if they are not known, or if there are none.
  [[nodiscard]] std::optional<RowRange> of_page() const noexcept;
  /// The first row of the page: one of two, if it is not known whether the page continues a row.
  [[nodiscard]] std::optional<RowRange> first_row() const noexcept;
  /// Moves past the page. `is_faulty`: the page breaks a rule.
  void leave(const Page& page, bool can_be_read, bool is_faulty);
  /// The page before turns out to be damaged.
  void lose_last_page() {
    pages_.lose_last_page();
    sound_pages_.lose_last_page();
  }
  /// Rows that begin in the pages before this one, if known.
  [[nodiscard]] std::optional<std::int64_t> before() const noexcept { return before_; }

  /// The first row that has or may have an entry in the next page.
  [[nodiscard]] std::optional<std::int64_t> from_here() const noexcept;
  /// Pages were skipped: the next page begins with this row.
  void resume(std::optional<std::int64_t> row);
  /// Ends the walk. `at_end`: there are no further pages.
  void end(bool at_end);
  [[nodiscard]] const ReadablePages& pages() const noexcept { return pages_; }
  /// The same, as if pages that break a rule could not be read.
  [[nodiscard]] const ReadablePages& sound_pages() const noexcept { return sound_pages_; }

 private:
  void keep(const Page& page, bool can_be_read, ReadablePages& pages) const;
  /// Returns true if rows do not continue in the next page; all data pages of a chunk have one version.
  [[nodiscard]] bool pages_end_rows() const noexcept { return !repeated_ || (v2_ && !splits_); }

  bool repeated_;
  bool splits_ = false;                     // a v2 page began inside a row, against the specification
  bool v2_ = false;                         // the last data page was a v2 page
  std::optional<std::int64_t> before_ = 0;  // rows that begin in the pages before this one
  std::optional<std::int64_t> rows_;        // that begin in this page
  bool continues_ = false;                  // the page begins inside a row
  bool has_levels_ = false;                 // the levels of the page could be read
  bool at_row_ = true;                      // the next page begins with a row
  ReadablePages pages_;
  ReadablePages sound_pages_;
};

}  // namespace parqproof
