#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "conformance/state/file_check.hpp"

namespace parqproof {

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

}  // namespace parqproof
