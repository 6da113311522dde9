#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/page/chunk_extent.hpp"
#include "conformance/report/bytes/layout.hpp"

/// Locations of the structures that the footer references, for the byte map.
namespace parqproof {

/// A column chunk of this file.
struct ChunkTarget {
  Place place;
  ChunkExtent extent;            ///< expected location of its pages; all 0 for a chunk without pages
  std::int64_t file_offset = 0;  ///< ColumnChunk.file_offset
  std::uint64_t metadata = 0;    ///< offset of its ColumnChunk in the footer
  bool encrypted = false;        ///< its parts are modules
  bool locked = false;           ///< and there is no key for them
};

/// A structure of the page index, or a bloom filter: bytes [offset, offset + length).
struct StructureTarget {
  SegmentKind kind{};
  Place place;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;  ///< if empty, the structure itself determines its end
  bool encrypted = false;               ///< it is a module, a Bloom filter two of them
};

/// All targets are in the data, between the magic and the footer.
struct FooterTargets {
  std::vector<ChunkTarget> chunks;
  std::vector<ChunkTarget> chunks_without_pages;  ///< in the order of the footer
  std::vector<StructureTarget> structures;
};

/// Parses the footer in `layout.frame`. Fills the schema and the chunks of `layout`, and lists as unread the
/// targets outside the data, and a footer that cannot be parsed to its end.
[[nodiscard]] FooterTargets read_footer_targets(Layout& layout, const Limits& limits,
                                                const encryption::FileKeys* keys);

}  // namespace parqproof
