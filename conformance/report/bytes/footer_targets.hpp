#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/page/chunk_extent.hpp"
#include "conformance/report/bytes/layout.hpp"

/// What the footer of a file points at: where the structures should be that the byte map then looks for.
namespace parqproof {

/// A column chunk of this file.
struct ChunkTarget {
  Place place;
  ChunkExtent extent;            ///< where its pages should be; all 0 of a chunk without pages
  std::int64_t file_offset = 0;  ///< ColumnChunk.file_offset
  std::uint64_t metadata = 0;    ///< where the footer has its ColumnChunk
};

/// A structure of the page index, or a bloom filter: bytes [offset, offset + length).
struct StructureTarget {
  SegmentKind kind{};
  Place place;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;  ///< without it, only the structure itself tells where it ends
};

/// All targets lie among the data: behind the magic and before the footer.
struct FooterTargets {
  std::vector<ChunkTarget> chunks;
  std::vector<ChunkTarget> chunks_without_pages;  ///< in the order of the footer
  std::vector<StructureTarget> structures;
};

/// Parses the footer in `layout.frame`. It fills the schema and the chunks of `layout`, and lists there as
/// unread what points outside of the data, and the footer itself where it cannot be parsed to its end.
[[nodiscard]] FooterTargets read_footer_targets(Layout& layout, const Limits& limits);

}  // namespace parqproof
