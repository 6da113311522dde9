#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Rules of the ColumnChunk structs that need neither pages nor offsets: column-chunk/*,
/// row-group/column-order, compression/lzo, compression/lz4-deprecated. Chunks are judged in the order of
/// the footer.
class ColumnChunkRules {
 public:
  explicit ColumnChunkRules(FileCheck& check) noexcept : check_(check) {}

  /// Judges the chunk of `claim`; what cannot be judged because of its state is lost or not run. `own_path`:
  /// is_path_of() its leaf.
  void judge(const ColumnChunk& chunk, ChunkState state, const ChunkClaim& claim, bool own_path);
  /// column-chunk/dictionary-before-data, for a chunk whose pages will not be read. Its metadata was read,
  /// and its offsets are known.
  void offsets(const ColumnChunk& chunk, const ChunkClaim& claim);

 private:
  FileCheck& check_;
  /// Bytes of `encodings` and `encoding_stats` of the last chunk in which both were valid.
  std::array<std::span<const std::uint8_t>, 2> sound_encodings_;
};

}  // namespace parqproof
