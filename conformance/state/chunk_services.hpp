#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/geo/box.hpp"
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
  /// Set by the chunk check, for pages whose rows can be read: these rows.
  std::optional<RowRange> rows = {};
  bool verified = false;  ///< its bytes match a checksum
};

/// The bounds of the data pages of a chunk, in limited memory.
struct BoundsOfPages {
  std::vector<PageBounds> pages;  ///< in the order of the file
  std::uint64_t room = 0;         ///< remaining bytes
  bool overflown = false;         ///< `room` was exceeded, and no page was added since
};

/// The subscribers to the values of single data pages of a chunk. They outlive the check of the chunk.
class PageValues {
 public:
  /// Claims about single pages that are stored elsewhere, for example in a ColumnIndex.
  void subscribe(PageClaims& claims) noexcept { claims_ = &claims; }
  /// Asks for the bounds of each data page.
  void subscribe(BoundsOfPages& bounds) noexcept { bounds_ = &bounds; }

  /// Null if there is no subscriber.
  [[nodiscard]] PageClaims* claims() const noexcept { return claims_; }
  [[nodiscard]] BoundsOfPages* bounds() const noexcept { return bounds_; }

 private:
  PageClaims* claims_ = nullptr;
  BoundsOfPages* bounds_ = nullptr;
};

/// Position of the walk along the pages of a chunk. Only the chunk check moves it.
struct ChunkPosition {
  /// Ordinal of the current data page in page_locations; nothing after skipped pages.
  std::optional<std::uint64_t> data_page = 0;
  const RowPositions* trail = nullptr;  ///< the rows of pages; null if not known

  /// Moves past a page.
  void move_past(const Page& page) noexcept;
};

/// State that the rules of one chunk share while its pages are read.
struct ChunkServices {
  /// `chunks`: the number of chunks of the file. `left_out` gets the parts that are not judged, and outlives
  /// this object.
  ChunkServices(const Limits& limits, std::size_t chunks, std::vector<NotRun>& left_out) noexcept
      : budget(limits.work, chunks), not_run(left_out) {}

  ChunkPosition position;
  PageValues page_values;
  Budget budget;                           ///< for the decoding of the chunk
  std::vector<NotRun>& not_run;            ///< the parts of the chunk that are not judged
  bool is_offset_index_foreign = false;    ///< the OffsetIndex locates other pages
  SortProof sort_proof = SortProof::none;  ///< of the column, found by the walk along the chunk
  std::shared_ptr<geo::Summary> geo;       ///< of all values of a geospatial column, if they are known
};

}  // namespace parqproof
