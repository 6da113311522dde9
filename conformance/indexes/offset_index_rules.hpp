#pragma once

#include <cstdint>
#include <optional>

#include "codec/thrift/list_walk.hpp"
#include "conformance/observers/first_fault.hpp"
#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/row_positions.hpp"

namespace parqproof {

/// offset-index/*: compares the page locations of a chunk with its data pages during the walk. Findings are
/// made at the end, because a list with too many or too few locations does not describe single pages.
class LocationRules {
 public:
  /// `chunk` outlives the rules.
  explicit LocationRules(const ChunkScope& chunk);

  /// Compares the current data page, ChunkPosition::data_page, and its first row. After a `damaged` page the
  /// rows are not known.
  void page(const Page& page, const RowPositions& trail, bool damaged);
  /// Called after the last page. `counts_trusted`: see ChunkEnd. An OffsetIndex whose offsets are all wrong
  /// is marked as foreign.
  void end(bool counts_trusted);

 private:
  void first_row(std::uint64_t at, std::int64_t stated, const std::optional<RowRange>& rows);

  const ChunkScope& chunk_;
  thrift::StructWalk<PageLocation> locations_;
  FirstFault offset_;
  FirstFault size_;
  FirstFault row_;
  FirstFault order_;
  std::int64_t previous_row_ = -1;
  bool rows_known_ = true;
  bool after_empty_ = false;  ///< the previous data page has no entries
};

}  // namespace parqproof
