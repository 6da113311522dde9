#pragma once

#include <cstdint>
#include <optional>

#include "codec/file/page_reader.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/check/report.hpp"

namespace parqproof {

/// Which rows the pages of a column chunk hold, counted from the first of the row group, for as long as that
/// is known: by num_rows of v2 pages, by num_values where the column is not repeated, else by the levels. It
/// is told of each page in turn: enter(), levels() where they could be read, leave().
class RowTrail {
 public:
  explicit RowTrail(const Node& leaf) noexcept : repeated_(leaf.max_repetition != 0) {}

  void enter(const Page& page) noexcept;
  /// `rows` begin in the page; before the first of them it `continues` the last row of the page before.
  void levels(std::int64_t rows, bool continues) noexcept;
  /// The rows that have an entry in the page; nothing where they are not known, or where it has none.
  [[nodiscard]] std::optional<RowRange> of_page() const noexcept;
  /// The row that the page begins with: one of two, where it is not known whether the page continues a row.
  [[nodiscard]] std::optional<RowRange> first_row() const noexcept;
  void leave() noexcept;
  /// Rows that begin in the pages before this one, where they are known.
  [[nodiscard]] std::optional<std::int64_t> before() const noexcept { return before_; }

  /// The first row that has an entry in the page behind the last one, or may have.
  [[nodiscard]] std::optional<std::int64_t> from_here() const noexcept;
  /// Pages were passed over: the next one begins with this row.
  void resume(std::optional<std::int64_t> row) noexcept;

 private:
  bool repeated_;
  std::optional<std::int64_t> before_ = 0;  // rows that begin in the pages before this one
  std::optional<std::int64_t> rows_;        // that begin in this page
  bool continues_ = false;                  // the page begins inside of a row
  bool has_levels_ = false;                 // and they tell so
  bool at_row_ = true;                      // the next page begins with a row
};

}  // namespace parqproof
