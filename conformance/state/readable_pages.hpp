#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/page/page_reader.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// Data pages of a column chunk that stand one behind the other and can all be read.
struct PageStretch {
  std::uint64_t offset = 0;            ///< of the first header in the file
  std::uint64_t end = 0;               ///< behind the last body
  std::int32_t first = 0;              ///< ordinal of the first page
  std::int32_t last = 0;               ///< and of the last one
  std::int64_t rows = 0;               ///< that begin in them
  std::optional<std::int64_t> before;  ///< rows of the row group that begin in front of them, where known
  std::optional<std::int64_t> gap;     ///< rows that begin in the pages between these and the stretch before
  bool continues = false;              ///< they begin inside of a row
  bool is_cut = false;                 ///< the last row may go on in the pages behind them

  /// The rows of the row group of which all entries of the column are in these pages, from the first up to
  /// but without the last. `before` is known.
  [[nodiscard]] std::int64_t first_row() const noexcept { return *before; }
  [[nodiscard]] std::int64_t end_row() const noexcept {
    return *before + rows - (is_cut && rows > 0 ? 1 : 0);
  }
};

/// What can be read of a column chunk: it is told of each page in turn, or of a gap.
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
  /// `before`: rows that begin in front of it, where they are known.
  void page(const Page& page, std::int64_t rows, bool continues, std::optional<std::int64_t> before);
  /// Pages that cannot be read, in which so many rows begin, where that is known. `ends_row`: no row goes on
  /// from the page before into them.
  void gap(std::optional<std::int64_t> rows, bool ends_row);
  /// Each page of the last gap begins with a row.
  void begin_with_rows() noexcept {
    if (!stretches_.empty()) stretches_.back().is_cut = false;
  }

  /// Behind the last page: places the stretches behind a gap of unknown length, of a chunk of so many rows,
  /// from its end on. What cannot be placed is dropped; all of it, where the pages hold other rows.
  void settle(std::optional<std::int64_t> rows);

  [[nodiscard]] bool is_damaged() const noexcept { return damaged_; }
  [[nodiscard]] const std::optional<Dictionary>& dictionary() const noexcept { return dictionary_; }
  /// In the order of the chunk; of each `before` is known once they were settled.
  [[nodiscard]] const std::vector<PageStretch>& stretches() const noexcept { return stretches_; }
  /// Once they were settled: the rows that lack a value for this page alone, where it is the only one in its
  /// gap.
  [[nodiscard]] std::optional<RowRange> rows_of_lost_page(std::int32_t ordinal) const;

 private:
  std::vector<PageStretch> stretches_;
  std::optional<Dictionary> dictionary_;
  std::optional<std::int64_t> gap_ = 0;  // rows since the last stretch
  bool in_gap_ = true;                   // no page was read since the begin of the chunk or the last gap
  bool damaged_ = false;
};

/// The pages, where not all of a chunk can be read; else null.
[[nodiscard]] inline std::shared_ptr<ReadablePages> damage_in(const ReadablePages& pages) {
  return pages.is_damaged() ? std::make_shared<ReadablePages>(pages) : nullptr;
}

}  // namespace parqproof
