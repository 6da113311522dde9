#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Minimum bytes of a page: a header with its type and two sizes.
constexpr std::int32_t kSmallestPage = 7;

/// The starts of the data pages of a chunk, from its OffsetIndex. With it, an unusable page header loses
/// only its own page, since the walk along the pages continues at the next one.
class PageStarts {
 public:
  /// The place where the walk is resumed, and the pages that it skips.
  struct Jump {
    std::uint64_t offset = 0;      ///< start of the next page, or end of the chunk
    std::int32_t ordinal = 0;      ///< of that page in the chunk
    std::int32_t first_lost = 0;   ///< the pages from this ordinal up to the one before `ordinal` are lost
    bool over_dictionary = false;  ///< the page before the first data page is lost, or may be lost
    bool is_counted = true;        ///< the number of skipped pages is known; if not, one is assumed
  };

  /// `offset_index`: the serialized OffsetIndex of a chunk whose pages are in [start, end) of the source. If
  /// it is empty, or its entries cannot be consecutive pages in these bytes, only `first_data`
  /// (data_page_offset) is used, provided that it is after `start` and a page begins there.
  PageStarts(View offset_index, std::uint64_t start, std::uint64_t end, std::uint64_t first_data,
             const Source& source, const Limits& limits);

  /// The state of a walk that cannot continue.
  struct Walk {
    std::uint64_t at = 0;      ///< the offset at which no page header can be used
    std::uint64_t before = 0;  ///< lower bound of the search: the start of the previous page, or `at`
    std::int32_t ordinal = 0;  ///< of the page that should begin at `at`
    std::optional<std::int32_t> first_data;  ///< ordinal of the first data page, once it was read
    bool is_previous_size_wrong = false;     ///< the previous page has a wrong size in its header
  };

  /// Returns the place to continue. If the OffsetIndex has a page at `at`, only that page is lost. Otherwise
  /// the header of the previous page has a wrong size, and the walk continues at the first page after
  /// `before`. Returns nothing if the OffsetIndex does not help.
  [[nodiscard]] std::optional<Jump> beyond(const Walk& walk) const;

  /// Returns the first page start after `at`, or the end of the last page; nothing if `at` is not before it.
  [[nodiscard]] std::optional<std::uint64_t> next_after(std::uint64_t at) const;
  /// Returns the rows of a page that `jump` skips, counted from the first row of the row group; the end is
  /// INT64_MAX for the last page. Returns nothing if the OffsetIndex does not have them.
  [[nodiscard]] std::optional<RowRange> rows_of(const Jump& jump, std::int32_t ordinal) const;
  /// Returns the rows of the page that begins at this offset.
  [[nodiscard]] std::optional<RowRange> rows_at(std::uint64_t offset) const;

  /// Returns true if the OffsetIndex contradicts a page with the bytes [at, end). The dictionary page and
  /// bytes after the last page are never contradicted.
  [[nodiscard]] bool contradicts(std::uint64_t at, std::uint64_t end) const;

 private:
  void read(View offset_index, std::uint64_t start, const Limits& limits);
  [[nodiscard]] std::optional<RowRange> rows(std::ptrdiff_t index) const;

  std::vector<std::uint64_t> starts_;  // ascending
  std::vector<std::int64_t> rows_;     // first row of each page; empty if they do not ascend
  std::uint64_t last_end_ = 0;         // of the last page
  std::uint64_t end_;
};

}  // namespace parqproof
