#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "codec/model/model.hpp"

namespace parqproof::model {

/// Makes references of the offsets and lengths in a parsed model that match a structure.
class Linker {
 public:
  explicit Linker(Model& model) : model_(model) {}
  void run();

 private:
  void add_places();
  void footer(SegmentId id);
  void row_group(SegmentId owner, NodeId group, ChunkId first, std::uint32_t count);
  void column_chunk(SegmentId owner, NodeId chunk);
  void column_metadata(SegmentId owner, NodeId meta);
  void offset_index(SegmentId owner);
  void footer_length(SegmentId id, std::size_t position);
  void index_page(SegmentId id);

  /// Links an offset to the segment that begins there, and a length to its size.
  void link_begin(SegmentId owner, NodeId parent, int offset_id, std::optional<int> length_id = {});
  void link_file_offset(SegmentId owner, NodeId chunk);
  /// Makes the number follow the target if the target has that value in the stored file.
  bool link(SegmentId owner, std::optional<NodeId> node, Target target);
  /// The segment that begins at a stored offset; nullopt for gaps and offset 0.
  [[nodiscard]] std::optional<SegmentId> at(std::int64_t offset) const;
  [[nodiscard]] Tree& tree(SegmentId id) { return *model_.segments_[id].tree; }

  Model& model_;
  std::unordered_map<std::uint64_t, SegmentId> begins_;
  std::vector<SegmentId> first_data_pages_;  // by ChunkId
  std::vector<SegmentId> last_pages_;        // by ChunkId
};

}  // namespace parqproof::model
