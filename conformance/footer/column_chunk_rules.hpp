#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The rules of the ColumnChunk structs that need neither pages nor places: column-chunk/*,
/// row-group/column-order, compression/lzo, compression/lz4-deprecated. Chunks come in the order of the
/// footer.
class ColumnChunkRules {
 public:
  explicit ColumnChunkRules(FileCheck& check) noexcept : check_(check) {}

  /// Judges the chunk that `claim` was made of. What its state takes away is lost or not run. `own_path`:
  /// is_path_of() its leaf.
  void judge(const ColumnChunk& chunk, ChunkState state, const ChunkClaim& claim, bool own_path);
  /// column-chunk/dictionary-before-data, for a chunk whose pages will not be read. Its metadata was read,
  /// and its place is known.
  void offsets(const ColumnChunk& chunk, const ChunkClaim& claim);

 private:
  FileCheck& check_;
  /// The bytes of `encodings` and `encoding_stats` of the last chunk in which nothing was wrong with them.
  std::array<std::span<const std::uint8_t>, 2> sound_encodings_;
};

}  // namespace parqproof
