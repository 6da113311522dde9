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

/// A column chunk with an index tree, as the footer describes it.
struct IndexTreeChunk {
  std::uint64_t start = 0;  ///< of its first page in the file, dictionary page included
  std::uint64_t base = 0;   ///< what page offsets of entries count from: data_page_offset; 0 is known, too
  std::uint64_t end = 0;    ///< none of its pages reaches beyond
  std::uint64_t root = 0;   ///< index_page_offset
  CompressionCodec codec{};
};

/// A page in the file, header included.
struct PageSpan {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const PageSpan&, const PageSpan&) = default;
};

/// A page that an index of ordinals leads to: the row group's first row that begins in it, and the first one
/// of the page after it; INT64_MAX where that is not known.
struct RowPage {
  PageSpan span;
  std::int64_t first_row = 0;
  std::int64_t next_row = INT64_MAX;
};

/// A data page that was met on the way to the rows of a key.
struct PageStart {
  std::uint64_t offset = 0;
  std::int32_t ordinal = 0;    ///< of the page in its chunk
  std::int64_t first_row = 0;  ///< the row group's first row that begins in it
};

/// An index page that a lookup has read, and where it went from there.
struct IndexTreeStep {
  std::uint64_t page = 0;    ///< its offset
  std::uint32_t level = 0;   ///< 1: the root
  std::vector<PageSpan> to;  ///< data or index pages
};

/// Rows of a row group, counted from its first.
struct RowSpan {
  std::int64_t first = 0;
  std::int64_t count = 0;
  friend bool operator==(const RowSpan&, const RowSpan&) = default;
};

/// Lookups in one chunk. Each costs pages on one way through the tree, or on as many as equal keys take. A
/// hostile tree ends in an Error: a child has to stand before its index page, none is read twice in a lookup,
/// and limit/work bounds the bytes that are read. Where failed(), the source could not be read and the Error
/// says no more than where.
class IndexTreeLookup {
 public:
  /// `leaf`, which is readable, and the source outlive the lookups. `with_checksums`: a page whose checksum
  /// is wrong ends the lookup (crc/match).
  IndexTreeLookup(const Source& source, const Limits& limits, const IndexTreeChunk& chunk, const Node& leaf,
                  bool with_checksums = false);

  /// IndexTreeNode::likely_form() of the root.
  [[nodiscard]] Result<IndexTreeForm> likely_form();

  /// The data pages that may hold `key` (as in PLAIN, without length word), in the order of their keys. A key
  /// of a width that the type does not have is in none, nor is any where the type has no order. Errors:
  /// index-page/sorted, where the keys of a page on the way do not ascend, and those of the pages.
  [[nodiscard]] Result<std::vector<PageSpan>> pages_with_key(std::span<const std::uint8_t> key);
  /// The rows whose value is `key`, ascending. It decodes the pages of pages_with_key() and reads the headers
  /// before them, to know their first rows.
  [[nodiscard]] Result<std::vector<RowSpan>> rows_with_key(std::span<const std::uint8_t> key);
  /// The data page that row `row` of the row group begins in; nothing where the root is empty. What is after
  /// the last row is in the last page. `rows`: of the row group, INT64_MAX where that is not known. Errors:
  /// index-page/sorted, and index-page/ordinal where the row is before the first of its index page, or where
  /// a page whose header has its number of rows does not end before the row that the next entry begins with.
  [[nodiscard]] Result<std::optional<RowPage>> page_with_row(std::int64_t row, std::int64_t rows = INT64_MAX);

  /// The index pages that the last lookup has read, in that order.
  [[nodiscard]] const std::vector<IndexTreeStep>& steps() const noexcept { return steps_; }
  /// Data pages of the chunk up to the last one that rows_with_key() has decoded.
  [[nodiscard]] const std::vector<PageStart>& page_starts() const noexcept { return starts_; }
  /// Pages before one of those whose levels were decoded, because their headers have no number of rows.
  [[nodiscard]] std::uint64_t pages_counted() const noexcept { return counted_; }
  /// Bytes that the last lookup has read, and what decoding cost on top.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }
  /// After an Error: the offset of the page that it is in.
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
  std::unordered_set<std::uint64_t> visited_;  // offsets of children, in this lookup
  std::uint64_t work_ = 0;                     // bytes, in this lookup
};

}  // namespace parqproof
