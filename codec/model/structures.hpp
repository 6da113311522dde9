#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/model/claims.hpp"
#include "codec/model/model.hpp"
#include "codec/page/chunk_extent.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/page/page_walk.hpp"

namespace parqproof::model {

/// Claims the structures that a footer leads to: pages, indexes, Bloom filters, copies of column metadata.
class Structures {
 public:
  /// `data_end`: begin of the footer. The caller keeps all arguments alive.
  Structures(const Source& source, const Limits& limits, std::uint64_t data_end, Claims& claims);

  /// Returns all column chunks of the footer in order.
  [[nodiscard]] std::vector<ChunkPlace> claim(const Tree& footer);
  /// The source could not be read.
  [[nodiscard]] bool failed() const noexcept { return watched_.failed(); }
  /// The segments need more memory than the limits allow.
  [[nodiscard]] bool too_many() const noexcept { return too_many_; }

 private:
  /// Numbers of a chunk in the footer.
  struct Stated {
    ChunkId id = kNoChunk;
    ChunkStart start;
    std::int64_t dictionary = 0;
    std::int64_t data = 0;
    std::int64_t file_offset = 0;
    std::int64_t size = 0;
    std::int64_t num_values = 0;
    bool encrypted = false;
  };

  void read_chunk(const Tree& footer, NodeId node, ChunkId id);
  void add_structure(Segment::Kind kind, ChunkId chunk, bool has_offset, std::int64_t offset,
                     std::optional<std::int64_t> length);
  void chunk(const Tree& footer, const Stated& stated);
  [[nodiscard]] std::uint64_t pages(const Stated& stated, const ChunkExtent& extent);
  [[nodiscard]] bool page(PageWalk& walk, const Stated& stated);
  void unread(ChunkId chunk, std::uint64_t begin, std::uint64_t end);
  void metadata_copy(const Tree& footer, const Stated& stated);
  void index(const Segment& target);
  void bloom_filter(const Segment& target);
  [[nodiscard]] bool is_in_data(std::int64_t offset) const noexcept;
  [[nodiscard]] bool is_chunk_start(std::uint64_t offset) const;

  WatchedSource watched_;
  const Limits& limits_;
  std::uint64_t data_end_;
  Claims& claims_;
  PageReader pages_;
  std::vector<NodeId> nodes_;                // of all chunks, by ChunkId
  std::vector<Stated> stated_;               // chunks of this file with metadata
  std::vector<Segment> targets_;             // indexes and Bloom filters; the length of the body is as stated
  std::vector<std::uint64_t> starts_;        // of the chunks and targets, sorted
  std::vector<std::uint64_t> chunk_starts_;  // sorted
  std::uint64_t most_segments_;
  std::uint64_t chunk_end_ = kMagicBytes;  // end of the pages and the copy of the last chunk
  bool too_many_ = false;
};

}  // namespace parqproof::model
