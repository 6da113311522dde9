#pragma once

#include <cstdint>
#include <span>

#include "codec/base/bits.hpp"
#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/format/enums.hpp"
#include "codec/schema/order.hpp"

/// The index tree of a column chunk: its INDEX_PAGEs, as the edition of 2013 describes them. Each is a node;
/// its entries name data pages or nodes before it. It has nothing to do with the page index of today
/// (ColumnIndex and OffsetIndex): that stands apart from the pages, at offsets of its own in the ColumnChunk.
///
/// A node is the body of one INDEX_PAGE: entries of three numbers back to back, then the values buffer with
/// their keys. Neither the header nor the body tells how many entries there are.
namespace parqproof {

/// Bytes of one entry: key, page offset and page length, four bytes each, little-endian.
inline constexpr std::size_t kIndexTreeEntryBytes = 12;
/// The size at which a writer should begin another index page.
inline constexpr std::int32_t kIndexTreeRollOver = 65'536;

/// What the entries of a node are sorted by.
enum class IndexTreeForm : std::uint8_t {
  values,    ///< values of the column that the rows are sorted by
  ordinals,  ///< ordinals of rows in their row group, for the other columns; there is no values buffer
};

struct IndexTreeEntry {
  std::int32_t key = 0;          ///< offset of the key in the values buffer, or the ordinal of a row
  std::int32_t page_offset = 0;  ///< of a child page, from the first data page of the chunk
  std::int32_t page_length = 0;  ///< of the child page, its header included
};

/// A node taken apart; it refers to the bytes of the page body.
class IndexTreeNode {
 public:
  IndexTreeNode() = default;

  /// Finds out how many entries there are: as many as have a key in the values buffer, one each. Where keys
  /// are BYTE_ARRAY, they are walked along from the end of the entries to that of the body; of several
  /// numbers that fit, the first is taken whose first key is at 0. Keys are PLAIN; a BOOLEAN takes a byte.
  /// Errors: index-page/entries (found: bytes), limit/memory.
  [[nodiscard]] static Result<IndexTreeNode> open(View body, IndexTreeForm form, Type type,
                                                  std::uint32_t type_length, const Limits& limits);

  /// The form that a body bears witness to by itself: values where the keys of its entries fill the values
  /// buffer one after the other, ordinals otherwise.
  [[nodiscard]] static IndexTreeForm likely_form(View body, Type type, std::uint32_t type_length,
                                                 const Limits& limits);

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] IndexTreeForm form() const noexcept { return form_; }
  /// The entry at an index below size().
  [[nodiscard]] IndexTreeEntry entry(std::size_t index) const noexcept;
  /// Its bytes.
  [[nodiscard]] View entry_bytes(std::size_t index) const noexcept {
    return body_.part(index * kIndexTreeEntryBytes, kIndexTreeEntryBytes);
  }
  /// All bytes behind the entries.
  [[nodiscard]] View values_buffer() const noexcept { return body_.from(count_ * kIndexTreeEntryBytes); }
  /// The key of an entry by value, without length word: index-page/keys (found: its offset, expected: bytes
  /// of the values buffer) at the entry's offset where it is not inside the values buffer.
  [[nodiscard]] Result<View> key(std::size_t index) const noexcept;
  /// limit/work: whether all keys together are not many times the bytes of the page. They may share bytes,
  /// but to compare long keys that all do would have no end.
  [[nodiscard]] bool keys_are_affordable() const noexcept;

 private:
  View body_;
  std::size_t count_ = 0;
  std::uint32_t width_ = 0;  // of a key; 0 for BYTE_ARRAY
  IndexTreeForm form_ = IndexTreeForm::ordinals;
  bool byte_arrays_ = false;
};

/// Entries of a node, those from `first` up to but without `last`.
struct IndexTreeRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// The entries whose pages may hold `key`, by bisection. A key may be the smallest or the largest value of
/// its page, for the text names it one and uses it as the other; both readings are provided for, so that one
/// page more than needed can be among them at either end.
[[nodiscard]] Result<IndexTreeRange> entries_for_key(const IndexTreeNode& node, Order order,
                                                     std::span<const std::uint8_t> key) noexcept;

/// The last entry whose ordinal is not above `row`, or size() where there is none.
[[nodiscard]] std::size_t entry_for_row(const IndexTreeNode& node, std::int64_t row) noexcept;

}  // namespace parqproof
