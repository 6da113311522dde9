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
/// its entries refer to data pages or nodes before it. It is unrelated to the page index of later editions
/// (ColumnIndex and OffsetIndex), which is stored apart from the pages, at offsets in the ColumnChunk.
///
/// A node is the body of one INDEX_PAGE: contiguous entries of three numbers, then the values buffer with
/// their keys. Neither the header nor the body has the number of entries.
namespace parqproof {

/// Bytes of an entry: key, page offset and page length, four bytes each, little-endian.
inline constexpr std::size_t kIndexTreeEntryBytes = 12;
/// Size at which writers should begin another index page.
inline constexpr std::int32_t kIndexTreeRollOver = 65'536;

/// Sort key of the entries of a node.
enum class IndexTreeForm : std::uint8_t {
  values,    ///< values of the column by which the rows are sorted
  ordinals,  ///< ordinals of rows in their row group, for the other columns; without a values buffer
};

struct IndexTreeEntry {
  std::int32_t key = 0;          ///< offset of the key in the values buffer, or the ordinal of a row
  std::int32_t page_offset = 0;  ///< of a child page, relative to the first data page of the chunk
  std::int32_t page_length = 0;  ///< bytes of the child page, including its header
};

/// A parsed node; it refers to the bytes of the page body.
class IndexTreeNode {
 public:
  IndexTreeNode() = default;

  /// Determines the number of entries: as many as there are keys in the values buffer. For BYTE_ARRAY keys, a
  /// number fits if the byte arrays after that many entries end exactly at the end of the body; of several
  /// numbers that fit, the first one whose first key is at 0 is accepted. Keys are PLAIN; a BOOLEAN takes a
  /// byte. Errors: index-page/entries (found: bytes), limit/memory.
  [[nodiscard]] static Result<IndexTreeNode> open(View body, IndexTreeForm form, Type type,
                                                  std::uint32_t type_length, const Limits& limits);

  /// Guesses the form of a body. Keys that fill the values buffer contiguously are the evidence for values;
  /// otherwise the form is ordinals.
  [[nodiscard]] static IndexTreeForm likely_form(View body, Type type, std::uint32_t type_length,
                                                 const Limits& limits);

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] IndexTreeForm form() const noexcept { return form_; }
  /// Returns an entry; `index` < size().
  [[nodiscard]] IndexTreeEntry entry(std::size_t index) const noexcept;
  /// Bytes of an entry.
  [[nodiscard]] View entry_bytes(std::size_t index) const noexcept {
    return body_.part(index * kIndexTreeEntryBytes, kIndexTreeEntryBytes);
  }
  /// All bytes after the entries.
  [[nodiscard]] View values_buffer() const noexcept { return body_.from(count_ * kIndexTreeEntryBytes); }
  /// Returns the key of an entry by value, without length prefix. Fails with index-page/keys (found: its
  /// offset, expected: bytes of the values buffer) at the entry if it is not inside the values buffer.
  [[nodiscard]] Result<View> key(std::size_t index) const noexcept;
  /// Returns false (limit/work) if all keys together are many times the bytes of the page. Keys may share
  /// bytes, so comparing long keys could take unbounded time.
  [[nodiscard]] bool keys_are_affordable() const noexcept;

 private:
  View body_;
  std::size_t count_ = 0;
  std::uint32_t width_ = 0;  // bytes of a key; 0 for BYTE_ARRAY
  IndexTreeForm form_ = IndexTreeForm::ordinals;
  bool byte_arrays_ = false;
};

/// Entries [first, last) of a node.
struct IndexTreeRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Finds the entries whose pages may contain `key`, by bisection. The edition is ambiguous whether a key is
/// the smallest or the largest value of its page; both are allowed for, so there may be one surplus page at
/// either end.
[[nodiscard]] Result<IndexTreeRange> entries_for_key(const IndexTreeNode& node, Order order,
                                                     std::span<const std::uint8_t> key) noexcept;

/// Returns the last entry whose ordinal is not above `row`; size() if there is none.
[[nodiscard]] std::size_t entry_for_row(const IndexTreeNode& node, std::int64_t row) noexcept;

}  // namespace parqproof
