#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/page/page_reader.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/chunk_totals.hpp"

namespace parqproof {

class PageClaims;
class RowPositions;

/// The bounds of the values of one data page, in the order of the column's type.
struct PageBounds {
  std::int32_t page = 0;  ///< ordinal of the page in its chunk
  std::vector<std::uint8_t> min;
  std::vector<std::uint8_t> max;
  bool any = false;    ///< the page has a value that the order knows
  bool known = false;  ///< all its values could be read
};

/// The bounds of the data pages of a chunk, in limited memory.
struct BoundsOfPages {
  std::vector<PageBounds> pages;  ///< in the order of the file
  std::uint64_t room = 0;         ///< bytes that are left
  bool overflown = false;         ///< the room did not suffice, and no page was added since
};

/// The subscribers to the values of single data pages of a chunk. They outlive the check of the chunk.
class PageValues {
 public:
  /// Claims about single pages that are outside of these pages, as those of a ColumnIndex.
  void subscribe(PageClaims& claims) noexcept { claims_ = &claims; }
  /// Asks for the bounds of each data page.
  void subscribe(BoundsOfPages& bounds) noexcept { bounds_ = &bounds; }

  /// Null where there is no subscriber.
  [[nodiscard]] PageClaims* claims() const noexcept { return claims_; }
  [[nodiscard]] BoundsOfPages* bounds() const noexcept { return bounds_; }

 private:
  PageClaims* claims_ = nullptr;
  BoundsOfPages* bounds_ = nullptr;
};

/// Where the walk along the pages of a chunk is. The chunk check alone moves it.
struct ChunkPosition {
  /// Ordinal of the data page at hand, as page_locations count; nothing after pages that were passed over.
  std::optional<std::uint64_t> data_page = 0;
  const RowPositions* trail = nullptr;  ///< the rows of pages; null: not known

  /// Moves past a page.
  void pass(const Page& page) noexcept;
};

/// What the judges of one chunk share while its pages are read.
struct ChunkServices {
  /// For one of `chunks` of a file. What is not judged goes to `left_out`, which outlives this.
  ChunkServices(const Limits& limits, std::size_t chunks, std::vector<NotRun>& left_out) noexcept
      : budget(limits.work, chunks), not_run(left_out) {}

  ChunkPosition position;
  PageValues page_values;
  Budget budget;                           ///< for the decoding of the chunk
  std::vector<NotRun>& not_run;            ///< what is not judged of the chunk
  bool is_offset_index_foreign = false;    ///< it was found to be that of other pages
  SortProof sort_proof = SortProof::none;  ///< of the column, found by the walk along the chunk
};

}  // namespace parqproof
