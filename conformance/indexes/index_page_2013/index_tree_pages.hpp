#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "codec/file/index_tree.hpp"
#include "codec/page/page_reader.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// What is kept of one page of a chunk that has an index tree.
struct IndexTreePage {
  std::uint64_t offset = 0;  ///< of the page header in the file
  std::uint64_t end = 0;
  std::optional<std::int64_t> first_row;  ///< rows of the row group before the page, where they are known
  std::int32_t ordinal = 0;
  PageType type{};
  thrift::Extent type_at;   ///< of the type in the header
  bool bounded = false;     ///< all values of the page, or of the data pages below it, are known
  std::size_t low = 0;      ///< in BoundsOfPages::pages, the bounds that have the smallest of the values
  std::size_t high = 0;     ///< and those that have the largest one
  bool has_values = false;  ///< low and high are set
};

/// Remembers the pages of a chunk that has an index tree, the bodies of the index pages, and the bounds of
/// the data pages. A page is named by its number, which counts the pages met before it.
class IndexTreePages {
 public:
  /// The number of no page.
  static constexpr std::size_t kNone = SIZE_MAX;

  /// Asks for the bounds of the data pages by BoundsOfPages, where rules need them. The scope outlives
  /// the pages.
  explicit IndexTreePages(const ChunkScope& chunk);
  IndexTreePages(const IndexTreePages&) = delete;
  IndexTreePages& operator=(const IndexTreePages&) = delete;

  /// Bytes that all bodies together may take, and all bounds together.
  [[nodiscard]] static std::uint64_t memory(const Limits& limits) noexcept;

  /// Adds a page; pages come in the order of the file. `first_row`: rows before it, where they are known.
  void add(const Page& page, std::optional<std::int64_t> first_row);
  /// Copies the uncompressed body of the index page that was added last. False where there is no memory for
  /// it: limit/memory.
  [[nodiscard]] bool add_body(View body);
  /// Gives the data pages the bounds that were collected since the pages were added.
  void take_bounds();
  /// Gives an index page the first row and the bounds of the pages below it. kNone among `children` is an
  /// entry that names no page.
  void sum_up(std::size_t parent, const std::vector<std::size_t>& children);

  [[nodiscard]] std::size_t size() const noexcept { return pages_.size(); }
  [[nodiscard]] const IndexTreePage& operator[](std::size_t page) const noexcept { return pages_[page]; }
  [[nodiscard]] const IndexTreePage& back() const noexcept { return pages_.back(); }
  /// How many pages are index pages.
  [[nodiscard]] std::size_t index_pages() const noexcept;
  /// How many pages are data pages or index pages.
  [[nodiscard]] std::size_t tree_pages() const noexcept;
  /// Offset of the first data page in the file, 0 where there is none.
  [[nodiscard]] std::uint64_t first_data() const noexcept { return first_data_.value_or(0); }
  /// The body of an index page; nothing where it was not added.
  [[nodiscard]] std::optional<View> body(std::size_t page) const noexcept;

  /// The page whose header stands at an offset in the file, or kNone.
  [[nodiscard]] std::size_t find(std::uint64_t offset) const;
  /// The data or index page that an entry names, or kNone. `base`: the offset in the file that page offsets
  /// of entries count from.
  [[nodiscard]] std::size_t child(const IndexTreeEntry& entry, std::uint64_t base) const;

  /// The order of the column's values.
  [[nodiscard]] Order order() const noexcept { return order_; }
  /// The largest (`upper`) or smallest value of a page or of the data pages below it; null where it is not
  /// known, or where there is no value.
  [[nodiscard]] const std::vector<std::uint8_t>* bound(std::size_t page, bool upper) const noexcept;
  /// Whether the bounds took more than their memory, and are known of the first pages alone.
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

}  // namespace parqproof
