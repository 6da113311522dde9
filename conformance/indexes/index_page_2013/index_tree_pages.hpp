#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codec/file/index_tree.hpp"
#include "codec/page/page_reader.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// One page of a chunk that has an index tree.
struct IndexTreePage {
  std::uint64_t offset = 0;  ///< of the page header in the file
  std::uint64_t end = 0;
  std::optional<std::int64_t> first_row;  ///< rows of the row group before the page, if known
  std::int32_t ordinal = 0;
  PageType type{};
  thrift::Extent type_at;   ///< of the type in the header
  bool bounded = false;     ///< all values of the page, or of the data pages below it, are known
  std::size_t low = 0;      ///< index in BoundsOfPages::pages of the bounds with the smallest value
  std::size_t high = 0;     ///< index of the bounds with the largest value
  bool has_values = false;  ///< low and high are set
};

/// The pages of a chunk that has an index tree, the bodies of the index pages, and the bounds of the data
/// pages. The number of a page is the number of pages before it.
class IndexTreePages {
 public:
  /// The number of no page.
  static constexpr std::size_t kNone = SIZE_MAX;

  /// Subscribes to the bounds of the data pages if rules need them. The scope outlives the pages.
  explicit IndexTreePages(const ChunkScope& chunk);
  IndexTreePages(const IndexTreePages&) = delete;
  IndexTreePages& operator=(const IndexTreePages&) = delete;

  /// Max bytes of all bodies, and max bytes of all bounds.
  [[nodiscard]] static std::uint64_t memory(const Limits& limits) noexcept;

  /// Adds a page; pages come in the order of the file. `first_row`: rows before it, if known.
  void add(const Page& page, std::optional<std::int64_t> first_row);
  /// Copies the uncompressed body of the index page that was added last. Returns false if that exceeds the
  /// memory limit: limit/memory.
  [[nodiscard]] bool add_body(View body);
  /// Assigns the collected bounds to the data pages.
  void take_bounds();
  /// Sets the first row and the bounds of an index page to those of the pages below it. kNone in `children`
  /// is an entry that names no page.
  void sum_up(std::size_t parent, const std::vector<std::size_t>& children);

  [[nodiscard]] std::size_t size() const noexcept { return pages_.size(); }
  [[nodiscard]] const IndexTreePage& operator[](std::size_t page) const noexcept { return pages_[page]; }
  [[nodiscard]] const IndexTreePage& back() const noexcept { return pages_.back(); }
  /// Number of index pages.
  [[nodiscard]] std::size_t index_pages() const noexcept;
  /// Number of data pages and index pages.
  [[nodiscard]] std::size_t tree_pages() const noexcept;
  /// Offset of the first data page in the file; 0 if there is none.
  [[nodiscard]] std::uint64_t first_data() const noexcept { return first_data_.value_or(0); }
  /// The body of an index page; nothing if it was not added.
  [[nodiscard]] std::optional<View> body(std::size_t page) const noexcept;

  /// The page whose header is at an offset in the file, or kNone.
  [[nodiscard]] std::size_t find(std::uint64_t offset) const;
  /// The data or index page that an entry names, or kNone. `base`: the offset in the file that page offsets
  /// of entries count from.
  [[nodiscard]] std::size_t child(const IndexTreeEntry& entry, std::uint64_t base) const;

  /// The order of the column's values.
  [[nodiscard]] Order order() const noexcept { return order_; }
  /// The largest (`upper`) or smallest value of a page or of the data pages below it; null if it is not
  /// known, or if there is no value.
  [[nodiscard]] const std::vector<std::uint8_t>* bound(std::size_t page, bool upper) const noexcept;
  /// Returns true if the bounds exceeded their memory limit, and are known only for the first pages.
  [[nodiscard]] bool bounds_overflown() const noexcept { return bounds_.overflown; }

 private:
  struct Body {
    std::vector<std::uint8_t> bytes;
    std::uint64_t base = 0;
    Space space = Space::file;
  };

  Order order_;
  std::uint64_t memory_left_;         // for bodies
  std::vector<IndexTreePage> pages_;  // in the order of the file
  std::unordered_map<std::size_t, Body> bodies_;
  BoundsOfPages bounds_;
  std::unordered_map<std::uint64_t, std::size_t> by_offset_;
  std::optional<std::uint64_t> first_data_;
};

/// The index pages of a chunk, parsed into nodes of the same form. The nodes refer to the bodies in
/// IndexTreePages, and page numbers are those of IndexTreePages.
struct IndexTreeReading {
  IndexTreeForm form{};
  std::uint64_t base = 0;  ///< the offset in the file that page offsets of entries count from
  std::unordered_map<std::size_t, IndexTreeNode> nodes;
  std::vector<std::pair<std::size_t, Error>> errors;  ///< of index pages that could not be parsed
  std::int64_t good = 0;                              ///< entries that name a page
  std::int64_t bad = 0;                               ///< entries that name none

  /// Returns true if the entries name as many pages as a tree of all data and index pages has below its root.
  [[nodiscard]] bool is_intact(const IndexTreePages& pages) const noexcept;
};

/// Parses the index pages of a chunk in the form that is expected for the column: by values if it is the
/// first sorting column, or if there is none; else by ordinals. The number of entries that name a page is the
/// evidence for a form. The other form is accepted if the pages are a complete tree only in that form, or, in
/// a row group without sorting_columns, if more of its entries name pages. Page offsets count from the first
/// data page, unless more entries name pages when offsets count from the start of the file.
[[nodiscard]] IndexTreeReading read_index_tree(const ChunkScope& chunk, const IndexTreePages& pages);

}  // namespace parqproof
