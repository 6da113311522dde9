#pragma once

#include <cstdint>
#include <span>

#include "codec/encoding/values.hpp"
#include "codec/file/level_stream.hpp"
#include "conformance/rows/chunk_pages.hpp"

namespace parqproof {

/// Stands at one entry after the other of the chunks of one leaf. It holds one page and the dictionary.
class ColumnCursor {
 public:
  ColumnCursor(ReadingContext& context, std::size_t leaf, std::uint64_t ahead);

  /// Goes to the first entry of a chunk; false: trouble.
  [[nodiscard]] bool open(const ChunkPlace& chunk);
  /// Goes to the next entry; the cursor is not at_end(). Without repeated nodes above the leaf, the next page
  /// is not touched before settle(): the row is whole without it. False: trouble.
  [[nodiscard]] bool next();
  /// Stands at the first entry of a row, or at_end(). False: trouble.
  [[nodiscard]] bool settle() { return !pending_ || turn_page(); }

  /// There is no further entry in the chunk; both levels are 0 then.
  [[nodiscard]] bool at_end() const noexcept { return at_end_; }
  [[nodiscard]] std::uint32_t repetition() const noexcept { return repetition_; }
  [[nodiscard]] std::uint32_t definition() const noexcept { return definition_; }
  /// The PLAIN bytes of the entry's value, a BYTE_ARRAY without its length word, a BOOLEAN as one byte. The
  /// entry is at the maximum definition level.
  [[nodiscard]] std::span<const std::uint8_t> value() const noexcept { return {value_.data, value_.size}; }

  [[nodiscard]] const Node& leaf() const noexcept { return pages_.leaf(); }
  /// Reports what is wrong with the chunk, or with the levels of the current entry; false, to be returned.
  bool chunk_fault(Rule rule, std::string_view path, Seen what) {
    return pages_.chunk_fault(rule, path, std::move(what));
  }
  bool level_fault(Rule rule, std::uint32_t found, std::uint32_t expected);

 private:
  bool next_page();
  bool turn_page();
  Result<std::uint64_t> read_levels(LevelStream& levels, const LevelSection& section, bool& clean) const;
  void pass_length_words();
  bool open_levels();
  bool open_values();
  bool next_value();
  bool close_values();
  bool entry();

  ChunkPages pages_;
  DataSections page_;
  LevelStream repetitions_;
  LevelStream definitions_;
  ValueDecoder decoder_;
  Notes notes_;
  ValueBatch batch_;
  std::uint64_t used_ = 0;     // of the batch
  std::uint64_t stored_ = 0;   // values of the page
  std::uint64_t left_ = 0;     // entries of the page behind the current one
  std::uint64_t ordinal_ = 0;  // of the current entry in the chunk
  std::uint32_t width_;
  std::uint32_t repetition_ = 0;
  std::uint32_t definition_ = 0;
  ByteArray value_;
  bool at_end_ = true;
  bool pending_ = false;  // the page is used up, and what follows is not known yet
};

}  // namespace parqproof
