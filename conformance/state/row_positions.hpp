#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/readable_pages.hpp"

namespace parqproof {

/// Which rows the pages of a column chunk hold, counted from the first of the row group, for as long as that
/// is known: by num_rows of v2 pages, by num_values where the column is not repeated, else by the levels. It
/// is told of each page in turn: enter(), levels() where they could be read, leave(). It keeps which pages
/// can be read, and where they stand.
class RowPositions {
 public:
  explicit RowPositions(const Node& leaf) noexcept : repeated_(leaf.max_repetition != 0) {}

  void enter(const Page& page) noexcept;
  /// `rows` begin in the page; before the first of them it `continues` the last row of the page before.
  void levels(std::int64_t rows, bool continues) noexcept;
  /// The page is known to begin with a row.
  void begin_with_row() noexcept { at_row_ = true; }
  /// The rows that have an entry in the page; nothing where they are not known, or where it has none.
  [[nodiscard]] std::optional<RowRange> of_page() const noexcept;
  /// The row that the page begins with: one of two, where it is not known whether the page continues a row.
  [[nodiscard]] std::optional<RowRange> first_row() const noexcept;
  /// Goes on behind the page, which can be read or not, and breaks a rule or not.
  void leave(const Page& page, bool can_be_read, bool is_faulty);
  /// Rows that begin in the pages before this one, where they are known.
  [[nodiscard]] std::optional<std::int64_t> before() const noexcept { return before_; }

  /// The first row that has an entry in the page behind the last one, or may have.
  [[nodiscard]] std::optional<std::int64_t> from_here() const noexcept;
  /// Pages were passed over: the next one begins with this row.
  void resume(std::optional<std::int64_t> row);
  /// The walk is over; `at_end`: there are no further pages.
  void end(bool at_end);
  [[nodiscard]] const ReadablePages& pages() const noexcept { return pages_; }
  /// The same, as if pages that break a rule could not be read.
  [[nodiscard]] const ReadablePages& sound_pages() const noexcept { return sound_pages_; }

 private:
  void keep(const Page& page, bool can_be_read, ReadablePages& pages) const;
  /// No row goes on from one page into the next; all data pages of a chunk are of one version.
  [[nodiscard]] bool pages_end_rows() const noexcept { return !repeated_ || (v2_ && !splits_); }

  bool repeated_;
  bool splits_ = false;                     // a page of version 2 began inside of a row all the same
  bool v2_ = false;                         // the last data page was of version 2
  std::optional<std::int64_t> before_ = 0;  // rows that begin in the pages before this one
  std::optional<std::int64_t> rows_;        // that begin in this page
  bool continues_ = false;                  // the page begins inside of a row
  bool has_levels_ = false;                 // and they tell so
  bool at_row_ = true;                      // the next page begins with a row
  ReadablePages pages_;
  ReadablePages sound_pages_;
};

}  // namespace parqproof
