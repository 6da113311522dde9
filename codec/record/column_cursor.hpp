#pragma once

#include <cstdint>
#include <span>

#include "codec/encoding/values.hpp"
#include "codec/format/enums.hpp"
#include "codec/page/level_stream.hpp"
#include "codec/record/data_pages.hpp"
#include "codec/record/entries.hpp"

namespace parqproof {

/// Iterates over the entries of the chunks of one leaf. It keeps one page and one dictionary in memory. It
/// judges nothing: a fault that prevents values from being read ends the chunk as a PageFault, other faults
/// are ignored.
class ColumnCursor {
 public:
  /// `ahead`: read-ahead size after a page header.
  ColumnCursor(ReadingContext& context, std::size_t leaf, std::uint64_t ahead);

  /// Goes to the first entry of a chunk. Call it first.
  [[nodiscard]] PageResult<void> open(const StoredChunk& chunk);
  /// Goes to the next entry. Precondition: not at_end(). Without repeated nodes above the leaf, the next page
  /// is not opened before settle(), because the row is complete without it.
  [[nodiscard]] PageResult<void> next() {
    ++ordinal_;
    return left_ != 0 ? entry() : after_page();
  }
  /// Called between two rows: makes the cursor be at the first entry of the next row or at_end().
  [[nodiscard]] PageResult<void> settle() {
    if (!pending_) return {};
    return turn_page();
  }

  /// Returns true if the chunk has no further entry; both levels are 0 then.
  [[nodiscard]] bool at_end() const noexcept { return at_end_; }
  [[nodiscard]] std::uint32_t repetition() const noexcept { return repetition_; }
  [[nodiscard]] std::uint32_t definition() const noexcept { return definition_; }
  /// Returns the PLAIN bytes of the entry's value, a BYTE_ARRAY without its length prefix, a BOOLEAN as one
  /// byte. Precondition: the entry is at the max definition level.
  [[nodiscard]] std::span<const std::uint8_t> value() const noexcept { return {value_.data, value_.size}; }

  /// Returns the first byte of value() if that is an entry of the dictionary, which stays in memory until the
  /// next open(), else null.
  [[nodiscard]] const std::uint8_t* dictionary_entry() const noexcept {
    return is_dictionary_encoding(parts().encoding) ? value_.data : nullptr;
  }

  /// Returns the current entry and those after it that are at hand without decoding; valid until the next one
  /// is read. Precondition: not at_end().
  [[nodiscard]] Entries entries() const noexcept;
  /// Goes past the first `count` of entries(), to the next entry, across pages.
  [[nodiscard]] PageResult<void> pass(const Entries& entries);

  /// Ordinal of the current entry in the chunk or its part.
  [[nodiscard]] std::uint64_t ordinal() const noexcept { return ordinal_; }

  [[nodiscard]] const Node& leaf() const noexcept { return pages_.leaf(); }
  /// The sections of the page of the current entry, which has one.
  [[nodiscard]] const DataPageParts& parts() const noexcept { return pages_.parts(); }
  /// The page of the current entry, or the page at fault.
  [[nodiscard]] const Page& page() const noexcept { return pages_.page(); }
  [[nodiscard]] Place place() const noexcept { return pages_.place(); }
  /// Returns true if the current entry is the first one of its page.
  [[nodiscard]] bool is_at_page_start() const noexcept {
    return !at_end_ && !pending_ && left_ + 1 == pages_.parts().count;
  }
  [[nodiscard]] const DataPages& pages() const noexcept { return pages_; }
  /// Returns a fault of the levels of the current entry, at the first byte of the levels of the page.
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
  Notes notes_;  // ignored
  ValueBatch batch_;
  std::uint64_t used_ = 0;     // values used of the batch
  std::uint64_t stored_ = 0;   // values of the page
  std::uint64_t left_ = 0;     // entries of the page after the current one
  std::uint64_t ordinal_ = 0;  // ordinal of the current entry in the chunk
  std::uint32_t width_;
  std::uint32_t repetition_ = 0;
  std::uint32_t definition_ = 0;
  ByteArray value_;
  bool at_end_ = true;
  bool pending_ = false;  // the page is used up, and the next one has not been opened
};

}  // namespace parqproof
