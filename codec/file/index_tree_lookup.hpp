#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/base/source.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"
#include "codec/file/index_tree.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/page/value_bytes.hpp"
#include "codec/schema/schema.hpp"

/// Lookups by the index tree, as the edition of 2013 describes them: by key to a data page of the sorted
/// column and from there to ordinals of rows, then by ordinal to a data page of any other column.
namespace parqproof {

/// A column chunk with an index tree, as described by the footer.
struct IndexTreeChunk {
  std::uint64_t start = 0;  ///< offset of its first page in the file, including a dictionary page
  std::uint64_t base = 0;   ///< origin of the page offsets of entries: data_page_offset; in some files 0
  std::uint64_t end = 0;    ///< upper bound of the end of all its pages
  std::uint64_t root = 0;   ///< index_page_offset
  CompressionCodec codec{};
};

/// A page in the file, including its header.
struct PageSpan {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const PageSpan&, const PageSpan&) = default;
};

/// A page found by the index of ordinals: the first row of the row group that begins in it, and the first row
/// of the next page; INT64_MAX if unknown.
struct RowPage {
  PageSpan span;
  std::int64_t first_row = 0;
  std::int64_t next_row = INT64_MAX;
};

/// A data page before or with the rows of a key.
struct PageStart {
  std::uint64_t offset = 0;
  std::int32_t ordinal = 0;    ///< ordinal of the page in its chunk
  std::int64_t first_row = 0;  ///< first row of the row group that begins in it
};

/// An index page that a lookup has read, and the pages to which it led.
struct IndexTreeStep {
  std::uint64_t page = 0;    ///< offset of the page
  std::uint32_t level = 0;   ///< 1: the root
  std::vector<PageSpan> to;  ///< data or index pages
};

/// Rows of a row group; its first row is 0.
struct RowSpan {
  std::int64_t first = 0;
  std::int64_t count = 0;
  friend bool operator==(const RowSpan&, const RowSpan&) = default;
};

/// Lookups in one chunk. Each reads pages on one path through the tree, or on several for equal keys. A
/// hostile tree ends in an Error: a child must be before its index page, no page is read twice in a lookup,
/// and limit/work bounds the bytes that are read. After failed(), the source could not be read and the Error
/// has only the offset.
class IndexTreeLookup {
 public:
  /// The caller keeps `leaf`, which must be readable, and the source alive. `with_checksums`: a wrong
  /// checksum of a page ends the lookup (crc/match).
  IndexTreeLookup(const Source& source, const Limits& limits, const IndexTreeChunk& chunk, const Node& leaf,
                  bool with_checksums = false);

  /// IndexTreeNode::likely_form() of the root.
  [[nodiscard]] Result<IndexTreeForm> likely_form();

  /// Returns the data pages that may contain `key` (PLAIN, without length prefix), in the order of their
  /// keys; empty for a key whose width does not fit the type, and if the type has no order. Errors:
  /// index-page/sorted if the keys of a page on the path do not ascend, and those of the pages.
  [[nodiscard]] Result<std::vector<PageSpan>> pages_with_key(std::span<const std::uint8_t> key);
  /// Returns the rows whose value is `key`, ascending. Decodes the pages of pages_with_key() and reads the
  /// headers before them to determine their first rows.
  [[nodiscard]] Result<std::vector<RowSpan>> rows_with_key(std::span<const std::uint8_t> key);
  /// Returns the data page in which row `row` of the row group begins; nullopt if the root is empty. Rows
  /// after the last one are in the last page. `rows`: number of rows of the row group, INT64_MAX if unknown.
  /// Errors: index-page/sorted; index-page/ordinal if the row is before the first row of its index page, or
  /// if a page whose header has its number of rows does not end at the first row of the next entry.
  [[nodiscard]] Result<std::optional<RowPage>> page_with_row(std::int64_t row, std::int64_t rows = INT64_MAX);

  /// Index pages that the last lookup has read, in that order.
  [[nodiscard]] const std::vector<IndexTreeStep>& steps() const noexcept { return steps_; }
  /// Data pages of the chunk up to the last one that rows_with_key() has decoded.
  [[nodiscard]] const std::vector<PageStart>& page_starts() const noexcept { return starts_; }
  /// Number of earlier pages whose levels were decoded because their headers have no number of rows.
  [[nodiscard]] std::uint64_t pages_counted() const noexcept { return counted_; }
  /// Bytes that the last lookup has read, plus the cost of decoding.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }
  /// After an Error: offset of the page at fault.
  [[nodiscard]] std::uint64_t page_at_fault() const noexcept { return at_; }
  /// After index-page/sorted of keys: the page at fault.
  [[nodiscard]] const IndexTreeNode& node() const noexcept { return node_; }

  [[nodiscard]] bool failed() const noexcept { return source_.failed(); }

 private:
  void begin();
  [[nodiscard]] Status spend(std::uint64_t bytes);
  [[nodiscard]] Status header(PageSpan where, const Error& fault, Page& page);
  [[nodiscard]] bool is_counted(const Page& page) const;
  [[nodiscard]] std::int64_t row_count(const Page& page) const;
  [[nodiscard]] Result<View> body(const Page& page);
  [[nodiscard]] Result<IndexTreeNode> node_of(const Page& page, IndexTreeForm form);
  [[nodiscard]] Status sorted(const IndexTreeNode& node) const;
  [[nodiscard]] Result<PageSpan> child(const IndexTreeNode& node, std::size_t entry, PageSpan parent);
  [[nodiscard]] Result<PageSpan> root();
  [[nodiscard]] Status read_dictionary();
  [[nodiscard]] Status rows_of_page(const Page& page, std::span<const std::uint8_t> key, std::int64_t& row,
                                    std::vector<RowSpan>* rows);

  WatchedSource source_;
  PageReader reader_;
  Limits limits_;
  IndexTreeChunk chunk_;
  const Node& leaf_;
  Order order_;
  Decompressor decompressor_;
  Buffer image_;
  ValueDecoder values_;
  DictionaryEntries dictionary_;
  bool dictionary_read_ = false;
  bool with_checksums_ = false;
  IndexTreeNode node_;
  std::vector<IndexTreeStep> steps_;
  std::vector<PageStart> starts_;
  std::uint64_t counted_ = 0;
  std::uint64_t at_ = 0;
  std::unordered_set<std::uint64_t> visited_;  // offsets of children visited in this lookup
  std::uint64_t work_ = 0;                     // bytes read in this lookup
};

}  // namespace parqproof
