#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/base/limits.hpp"
#include "codec/format/page_index.hpp"
#include "codec/schema/order.hpp"
#include "codec/thrift/list_walk.hpp"

namespace parqproof {

/// The lists of a ColumnIndex that have an entry per data page.
enum class IndexList : std::uint8_t { null_pages, min_values, max_values, null_counts, nan_counts };
inline constexpr std::array kIndexLists{IndexList::null_pages, IndexList::min_values, IndexList::max_values,
                                        IndexList::null_counts, IndexList::nan_counts};
[[nodiscard]] std::string_view name_of(IndexList list) noexcept;

/// What a ColumnIndex says of one page; nothing where a list is absent or left out.
struct IndexEntry {
  std::uint64_t ordinal = 0;  ///< of the page among the data pages
  std::optional<bool> null;
  std::optional<View> min;
  std::optional<View> max;
  std::optional<std::int64_t> nulls;
  std::optional<std::int64_t> nans;
  std::optional<std::int64_t> rows;  ///< of the page, by the OffsetIndex; never negative
};

/// The entries of a ColumnIndex, one after the other. Lists whose lengths differ from those of most are left
/// out, because it is not known which of their entries is missing.
class IndexEntries {
 public:
  IndexEntries() = default;
  /// `pages`, if given, is the OffsetIndex of a chunk of `rows` rows. All outlive the entries.
  IndexEntries(const ColumnIndex& index, const OffsetIndex* pages, std::int64_t rows, const Limits& limits);

  /// Entries of the lists that are not left out.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] bool has(IndexList list) const noexcept;
  [[nodiscard]] const thrift::List& list(IndexList list) const noexcept;
  /// The next entry; `ordinal` is above that of the last call, and below count().
  [[nodiscard]] IndexEntry at(std::uint64_t ordinal);

 private:
  [[nodiscard]] bool is_read(IndexList list) const noexcept;
  [[nodiscard]] std::optional<std::int64_t> first_row(std::uint64_t ordinal);

  const ColumnIndex* index_ = nullptr;
  std::uint64_t count_ = 0;
  thrift::StringWalk mins_;
  thrift::StringWalk maxs_;
  thrift::IntegerWalk nulls_;
  thrift::IntegerWalk nans_;
  std::optional<thrift::StructWalk<PageLocation>> pages_;
  std::int64_t rows_ = 0;
  std::uint64_t page_ = UINT64_MAX;  // that next_row_ is the first row of
  std::optional<std::int64_t> next_row_;
};

/// How bounds of pages follow each other, null pages left out.
class BoundSequence {
 public:
  explicit BoundSequence(Order order = Order::none) noexcept : order_(order) {}

  /// The bounds of the next page, in the order of the file. They outlive the sequence.
  void add(std::uint64_t ordinal, const View& min, const View& max) noexcept;
  /// A page has bounds that are not usable.
  void pass_over() noexcept { whole_ = false; }

  [[nodiscard]] bool is_ascending() const noexcept { return comparable_ && ascending_; }
  [[nodiscard]] bool is_descending() const noexcept { return comparable_ && descending_; }
  /// Nothing keeps the bounds from being compared.
  [[nodiscard]] bool is_comparable() const noexcept { return comparable_; }
  /// The bounds of all pages are known.
  [[nodiscard]] bool is_whole() const noexcept { return whole_ && comparable_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] const View& lowest() const noexcept { return lowest_; }
  [[nodiscard]] const View& highest() const noexcept { return highest_; }
  [[nodiscard]] std::uint64_t lowest_at() const noexcept { return lowest_at_; }
  [[nodiscard]] std::uint64_t highest_at() const noexcept { return highest_at_; }

 private:
  Order order_;
  bool whole_ = true;
  bool comparable_ = true;
  bool ascending_ = true;
  bool descending_ = true;
  std::uint64_t count_ = 0;
  View min_;  // of the last page
  View max_;
  View lowest_;
  View highest_;
  std::uint64_t lowest_at_ = 0;
  std::uint64_t highest_at_ = 0;
};

}  // namespace parqproof
