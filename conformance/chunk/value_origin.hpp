#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/row_positions.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {

/// Compares the values of the pages of a chunk with the statistics that cover them, before rows are read:
/// finds pages without checksum whose values contradict these, and the bounds of all values of a chunk that
/// may have those of other rows. Does nothing unless start() is called.
class OriginCheck {
 public:
  /// Asks for the bounds of each page. Called before observers open the chunk.
  void start(ChunkServices& services, const Limits& limits);

  /// Called before and after a data page is judged.
  void begin_page(const Findings& findings);
  /// `rows`: those that begin in the page, if they can be read.
  void end_page(const ChunkScope& chunk, const Page& page, std::optional<RowRange> rows, bool verified);
  /// Called before and after the column metadata is compared with the pages. Null if nothing contradicts the
  /// values.
  void begin_chunk(const Findings& findings) { begin_page(findings); }
  [[nodiscard]] std::shared_ptr<ValueOrigin> end_chunk(const ChunkScope& chunk);

 private:
  void add_pages_outside(const ChunkScope& chunk, const StatedBounds& stated);
  void add_all_pages(const std::vector<PageBounds>& pages, const Finding& finding);
  void compare_ends(const ChunkScope& chunk, const std::optional<StatedBounds>& stated);

  std::optional<BoundsOfPages> bounds_;
  std::uint64_t before_ = 0;  // contradictions before the page
  ValueOrigin out_;
};

}  // namespace parqproof
