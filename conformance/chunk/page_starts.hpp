#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Bytes of a page: at least a header with its type and two sizes.
constexpr std::int32_t kSmallestPage = 7;

/// Where the data pages of a chunk begin, as its OffsetIndex says. With it, a page header that cannot be used
/// costs its own page alone: the walk along the pages goes on at the next one.
class PageStarts {
 public:
  /// Where a walk that could not go on is resumed, and which pages it passes over.
  struct Jump {
    std::uint64_t offset = 0;      ///< where the next page begins, or the end of the chunk
    std::int32_t ordinal = 0;      ///< of that page in the chunk
    std::int32_t first_lost = 0;   ///< the pages from this ordinal up to the one before `ordinal` are lost
    bool over_dictionary = false;  ///< the page before the first data page is lost, or may be
    bool is_counted = true;        ///< it is known how many pages are passed over; else one is supposed
  };

  /// `offset_index`: the serialized OffsetIndex of a chunk whose pages lie in [start, end) of the source.
  /// Where it is empty, or its entries cannot be pages that follow each other in these bytes, beyond() finds
  /// nothing. Then `first_data`, where the metadata says that the first data page begins, is all that is
  /// known, if it is behind `start` and a page begins there.
  PageStarts(View offset_index, std::uint64_t start, std::uint64_t end, std::uint64_t first_data,
             const Source& source, const Limits& limits);

  /// The state of a walk that cannot go on.
  struct Walk {
    std::uint64_t at = 0;      ///< the offset at which no page header can be used
    std::uint64_t before = 0;  ///< pages are looked for behind this offset: that of the page before, or `at`
    std::int32_t ordinal = 0;  ///< of the page that should begin at `at`
    std::optional<std::int32_t> first_data;  ///< ordinal of the first data page, once that was met
    bool astray = false;                     ///< the page before does not end where its header says
  };

  /// Where to go on. If the OffsetIndex has a page at `at`, that page alone is lost. Otherwise the header of
  /// the page before stated a wrong size, and the walk goes on at the first page behind `before`. Nothing
  /// where the OffsetIndex does not help.
  [[nodiscard]] std::optional<Jump> beyond(const Walk& walk) const;

  /// Where the page behind that at `at` begins, or the last page ends.
  [[nodiscard]] std::optional<std::uint64_t> behind(std::uint64_t at) const;
  /// The rows of the page with this ordinal, by which the walk jumps, counted from the first of the row
  /// group; up to INT64_MAX where it is the last page. Nothing where the OffsetIndex does not say.
  [[nodiscard]] std::optional<RowRange> rows_of(const Jump& jump, std::int32_t ordinal) const;
  /// Likewise of the page that begins at this offset.
  [[nodiscard]] std::optional<RowRange> rows_at(std::uint64_t offset) const;

  /// Whether the OffsetIndex contradicts a page with the bytes [at, end). It says nothing about the
  /// dictionary page, nor about bytes behind its last page.
  [[nodiscard]] bool contradicts(std::uint64_t at, std::uint64_t end) const;

 private:
  void read(View offset_index, std::uint64_t start, const Limits& limits);
  [[nodiscard]] std::optional<RowRange> rows(std::ptrdiff_t index) const;

  std::vector<std::uint64_t> starts_;  // ascending
  std::vector<std::int64_t> rows_;     // first row of each; empty where they do not ascend
  std::uint64_t last_end_ = 0;         // of the last page
  std::uint64_t end_;
};

}  // namespace parqproof
