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

/// The structures beside a chunk's pages: page index and bloom filter.
struct ChunkIndexes {
  /// A region of the file whose bytes turned out to be others than the footer says.
  struct Settled {
    std::size_t index = 0;  ///< in Context::regions
    Region region;
  };
  std::vector<Settled> settled;
  std::vector<Lost> lost;
  PageIndex page_index;
  std::optional<FilterBitset> filter;  ///< in which the values of the chunk can be looked up
  std::uint64_t bytes = 0;             ///< of the file that were read
  bool regions_known = true;           ///< the bytes of all of them are known
};

/// Reads the structs of the page index; each keeps its own until it reads another.
struct PageIndexReaders {
  PageIndexReaders(const Source& source, const Limits& limits) noexcept
      : offset(source, limits, 0), column(source, limits, 0) {}

  PageReader offset;
  PageReader column;
};

/// Regions [first, last) of Context::regions: those of one chunk.
struct RegionRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Reads the structures of one chunk strictly (thrift/*), each once where nothing is wrong with it; findings
/// and what could not be read go to the chunk's own lists. Where a structure is not at its place and `doubts`
/// finds it, the number that lies is told, and the structure is read where it stands (file/structure-place).
/// The bytes of OffsetIndex and ColumnIndex stay in the windows of `keeping`, those of the filter pass
/// through that of `passing`.
[[nodiscard]] ChunkIndexes read_chunk_indexes(const Context& context, const ChunkDoubts& doubts,
                                              RegionRange regions, PageReader& passing,
                                              PageIndexReaders& keeping, Findings& findings,
                                              std::vector<NotRun>& not_run);

/// limit/work: regions that are pointed at again and again are left out beyond the ceiling. Returns how many
/// of Context::regions are read.
[[nodiscard]] std::size_t affordable_regions(FileCheck& check);

}  // namespace parqproof
