#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/page/page_reader.hpp"
#include "conformance/chunk/doubts.hpp"
#include "conformance/state/chunk_scope.hpp"
#include "conformance/state/file_check.hpp"
#include "conformance/state/page_index.hpp"

namespace parqproof {

/// The structures of a chunk in addition to its pages: page index and Bloom filter.
struct ChunkIndexes {
  /// A region of the file whose offset or length differs from the footer.
  struct Settled {
    std::size_t index = 0;  ///< in Context::regions
    Region region;
  };
  std::vector<Settled> settled;
  std::vector<Lost> lost;
  PageIndex page_index;
  std::optional<FilterBitset> filter;  ///< bitset for looking up the values of the chunk
  std::uint64_t bytes = 0;             ///< of the file that were read
  bool regions_known = true;           ///< the bytes of all structures are known
};

/// Readers of the page index structs; each keeps its struct until it reads another.
struct PageIndexReaders {
  PageIndexReaders(const Source& source, const Limits& limits) noexcept
      : offset(source, limits, 0), column(source, limits, 0) {}

  PageReader offset;
  PageReader column;
};

/// Regions [first, last) of Context::regions that belong to one chunk.
struct RegionRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Reads the structures of one chunk strictly (thrift/*), each once if it is intact; findings, and what
/// could not be read, go to the lists of the chunk. If a structure is not at its stated place and `doubts`
/// finds it, the wrong offset or length is reported and the structure is read where it was found
/// (file/structure-place). The bytes of OffsetIndex and ColumnIndex stay in the windows of `keeping`, those
/// of the filter pass through that of `passing`.
[[nodiscard]] ChunkIndexes read_chunk_indexes(const Context& context, const ChunkDoubts& doubts,
                                              RegionRange regions, PageReader& passing,
                                              PageIndexReaders& keeping, Findings& findings,
                                              std::vector<NotRun>& not_run);

/// limit/work: skips regions that are referred to many times, once the budget is used up. Returns how many
/// of Context::regions are read.
[[nodiscard]] std::size_t affordable_regions(FileCheck& check);

}  // namespace parqproof
