#pragma once

#include <cstdint>
#include <span>

#include "codec/encoding/values.hpp"
#include "codec/page/level_stream.hpp"
#include "codec/record/data_pages.hpp"

namespace parqproof {

/// Stands at one entry after another of the chunks of one leaf. It holds one page and one dictionary. Nothing
/// is judged: what keeps values from being read ends the chunk as a PageFault, the rest is passed over.
class ColumnCursor {
 public:
  /// `ahead`: bytes worth reading along with a page header.
  ColumnCursor(ReadingContext& context, std::size_t leaf, std::uint64_t ahead);

  /// Goes to the first entry of a chunk. Before anything else.
  [[nodiscard]] PageResult<void> open(const StoredChunk& chunk);
  /// Goes to the next entry; the cursor is not at_end(). Without repeated nodes above the leaf, the next page
  /// is not touched before settle(): the row is whole without it.
  [[nodiscard]] PageResult<void> next() {
    ++ordinal_;
    return left_ != 0 ? entry() : after_page();
  }
  /// Makes sure, between two rows, that the cursor stands at the first entry of the next one or is at_end().
  [[nodiscard]] PageResult<void> settle() {
    if (!pending_) return {};
    return turn_page();
  }

  /// There is no further entry in the chunk; both levels are 0 then.
  [[nodiscard]] bool at_end() const noexcept { return at_end_; }
  [[nodiscard]] std::uint32_t repetition() const noexcept { return repetition_; }
  [[nodiscard]] std::uint32_t definition() const noexcept { return definition_; }
  /// The PLAIN bytes of the entry's value, a BYTE_ARRAY without its length word, a BOOLEAN as one byte. The
  /// entry is at the maximum definition level.
  [[nodiscard]] std::span<const std::uint8_t> value() const noexcept { return {value_.data, value_.size}; }

  /// Which entry of the chunk, or of its part, this is.
  [[nodiscard]] std::uint64_t ordinal() const noexcept { return ordinal_; }

  [[nodiscard]] const Node& leaf() const noexcept { return pages_.leaf(); }
  /// The page of the current entry, or the one at fault.
  [[nodiscard]] const Page& page() const noexcept { return pages_.page(); }
  [[nodiscard]] Place place() const noexcept { return pages_.place(); }
  /// A fault of the levels of the current entry, at the first byte of the page's levels.
  [[nodiscard]] PageFault level_fault(Rule rule, std::uint32_t found, std::uint32_t expected) const;

 private:
  [[nodiscard]] PageResult<void> after_page();
  [[nodiscard]] PageResult<void> turn_page();
  [[nodiscard]] PageResult<void> next_page();
  [[nodiscard]] PageResult<void> open_levels();
  [[nodiscard]] PageResult<void> open_values();
  [[nodiscard]] PageResult<void> fill_levels();
  [[nodiscard]] PageResult<void> next_batch();
  void take_value() noexcept;

  [[nodiscard]] PageResult<void> entry() {
    --left_;
    if (!repetitions_.filled() || !definitions_.filled()) {
      if (PageResult<void> filled = fill_levels(); !filled) return filled;
    }
    repetition_ = repetitions_.take();
    definition_ = definitions_.take();
    if (definition_ != definitions_.max()) return {};
    if (used_ == batch_.count) {
      if (PageResult<void> filled = next_batch(); !filled) return filled;
    }
    take_value();
    return {};
  }

  DataPages pages_;
  LevelStream repetitions_;
  LevelStream definitions_;
  ValueDecoder decoder_;
  Notes notes_;  // passed over
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
