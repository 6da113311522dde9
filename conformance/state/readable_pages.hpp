#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/page/page_reader.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// Consecutive data pages of a column chunk that can all be read.
struct PageStretch {
  std::uint64_t offset = 0;            ///< of the first header in the file
  std::uint64_t end = 0;               ///< offset after the last body
  std::int32_t first = 0;              ///< ordinal of the first page
  std::int32_t last = 0;               ///< ordinal of the last page
  std::int64_t rows = 0;               ///< that begin in them
  std::optional<std::int64_t> before;  ///< rows of the row group that begin before them, if known
  std::optional<std::int64_t> gap;     ///< rows that begin in the pages between these and the stretch before
  bool continues = false;              ///< they begin inside a row
  bool is_cut = false;                 ///< the last row may continue in the next pages

  /// First and one past the last row of the row group whose entries of the column are all in these pages.
  /// `before` is known.
  [[nodiscard]] std::int64_t first_row() const noexcept { return *before; }
  [[nodiscard]] std::int64_t end_row() const noexcept {
    return *before + rows - (is_cut && rows > 0 ? 1 : 0);
  }
};

/// The readable pages of a column chunk. The caller reports each page or gap in turn.
class ReadablePages {
 public:
  /// Bytes of the dictionary page in the file.
  struct Dictionary {
    std::uint64_t offset = 0;
    std::uint64_t end = 0;
  };

  /// A dictionary page that can be read.
  void dictionary(const Page& page);
  /// A data page that can be read: `rows` begin in it, and before the first of them it `continues` a row.
  /// `before`: rows that begin before it, if known.
  void page(const Page& page, std::int64_t rows, bool continues, std::optional<std::int64_t> before);
  /// Pages that cannot be read. `rows`: rows that begin in them, if known. `ends_row`: no row continues from
  /// the previous page into them.
  void gap(std::optional<std::int64_t> rows, bool ends_row);
  /// The last page turns out to be damaged.
  void lose_last_page();
  /// Each page of the last gap begins with a row.
  void begin_with_rows() noexcept {
    if (!stretches_.empty()) stretches_.back().is_cut = false;
  }

  /// Called after the last page: places the stretches after a gap of unknown length, backwards from the end
  /// of a chunk of `rows` rows. Stretches that cannot be placed are dropped; all are dropped if the row
  /// counts contradict each other.
  void settle(std::optional<std::int64_t> rows);

  [[nodiscard]] bool is_damaged() const noexcept { return damaged_; }
  [[nodiscard]] const std::optional<Dictionary>& dictionary() const noexcept { return dictionary_; }
  /// In the order of the chunk; `before` of each is known after settle().
  [[nodiscard]] const std::vector<PageStretch>& stretches() const noexcept { return stretches_; }
  /// The rows that lack a value because of this page alone, if it is the only page in its gap. Called after
  /// settle().
  [[nodiscard]] std::optional<RowRange> rows_of_lost_page(std::int32_t ordinal) const;

 private:
  struct LastPage {
    PageStretch without;  // its stretch without it; without rows if it is the first
    std::int64_t rows = 0;
    bool is_first = true;
    bool continues = false;
  };

  std::vector<PageStretch> stretches_;
  std::optional<LastPage> last_page_;
  std::optional<Dictionary> dictionary_;
  std::optional<std::int64_t> gap_ = 0;  // rows since the last stretch
  bool in_gap_ = true;                   // no page was read since the start of the chunk or the last gap
  bool damaged_ = false;
};

/// A copy of the pages if not all pages of the chunk can be read; else null.
[[nodiscard]] inline std::shared_ptr<ReadablePages> damage_in(const ReadablePages& pages) {
  return pages.is_damaged() ? std::make_shared<ReadablePages>(pages) : nullptr;
}

}  // namespace parqproof
