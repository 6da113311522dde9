#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

// Rules of the RowGroup and ColumnChunk structs that need no page. They are judged in the order of the
// footer.

/// Reads file_path of the column chunks, in the order of the footer, into ChunkClaim::file and
/// ParsedFooter::named; and judges the paths: column-chunk/file-path*, summary/not-formal,
/// summary/file-path-differs.
class FilePaths {
 public:
  explicit FilePaths(FileCheck& check) noexcept : check_(check) {}

  /// Takes the next chunk; the claims of the previous chunks are in ParsedFooter::chunks. An absent or empty
  /// path, or that of the file itself, means this file.
  void take(const ColumnChunk& chunk, ChunkClaim& claim);

 private:
  void judge(const ColumnChunk& chunk, const ChunkClaim& claim) const;
  void judge_in_summary(const ColumnChunk& chunk, const ChunkClaim& claim);
  [[nodiscard]] std::uint32_t number_of(std::string_view path);
  void fault(Rule rule, const ColumnChunk& chunk, const ChunkClaim& claim, std::string expected) const;

  FileCheck& check_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< of the paths: values of ChunkClaim::file
  bool any_ = false;                                        ///< an earlier chunk is in another file
  bool differ_ = false;  ///< summary/file-path-differs has been reported for the row group
};

/// column-chunk/*, row-group/column-order, compression/lzo, compression/lz4-deprecated.
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

/// row-group/column-count, num-rows-negative, empty, ordinal, ordinal-consistent.
class RowGroupFields {
 public:
  explicit RowGroupFields(FileCheck& check) noexcept : check_(check) {}

  /// Judges the next row group, `index` in its list, whose chunks were kept if its claim is complete.
  void judge(const RowGroup& group, std::uint32_t index, const RowGroupClaim& claim);
  /// Applies the rules that need all row groups, once they are in ParsedFooter::row_groups.
  void judge_all() const;

 private:
  [[nodiscard]] bool has_values(const RowGroupClaim& claim) const;
  [[nodiscard]] std::int64_t next_in_own_file(const RowGroupClaim& claim);

  FileCheck& check_;
  std::vector<std::int64_t> groups_of_file_;    ///< row groups so far, by ChunkClaim::file
  std::size_t ordinals_ = 0;                    ///< how many row groups state one
  std::optional<std::size_t> without_ordinal_;  ///< the first without one, in ParsedFooter::row_groups
};

/// footer/key-unique for the list of key/value pairs at `path` of the struct that `place` names.
void check_keys(FileCheck& check, const Place& place, const thrift::List& pairs, std::string_view path);

}  // namespace parqproof
