#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "codec/thrift/list_walk.hpp"
#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/row_positions.hpp"

namespace parqproof {

/// offset-index/*: the page locations of a chunk, held against its data pages as the walk comes along. What
/// is wrong is told at the end, because a list with a location too many or too few says nothing of single
/// pages.
class LocationRules {
 public:
  /// `chunk` outlives the rules.
  explicit LocationRules(const ChunkScope& chunk);

  /// The data page at hand, ChunkScope::data_page, and the rows before it. Behind a page that is `damaged` no
  /// rows are known.
  void page(const Page& page, const RowPositions& trail, bool damaged);
  /// All pages were met. `counts_trusted`: see ChunkEnd. An OffsetIndex of which all locations are elsewhere
  /// is no longer said to be sound.
  void end(bool counts_trusted);

 private:
  /// What a rule found: where first, and how often.
  struct Fault {
    std::uint64_t location = 0;
    std::uint64_t times = 0;
    Contrast what;

    void note(std::uint64_t at, std::int64_t found, FindingValue expected);
  };

  void first_row(std::uint64_t at, std::int64_t stated, const std::optional<RowRange>& rows);
  void tell(Rule rule, const Fault& fault, std::string_view field) const;

  const ChunkScope& chunk_;
  thrift::StructWalk<PageLocation> locations_;
  Fault offset_;
  Fault size_;
  Fault row_;
  Fault order_;
  std::int64_t previous_row_ = -1;
  bool rows_known_ = true;
  bool after_empty_ = false;  ///< the data page before has no entries
};

}  // namespace parqproof
