#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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
  [[nodiscard]] bool is_read(IndexList one) const noexcept;
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

/// How bounds of pages follow each other, null pages left out (parquet.thrift#BoundaryOrder).
class BoundSequence {
 public:
  /// Where the bounds are not in an order that most of them may have.
  struct Break {
    IndexList list = IndexList::min_values;
    std::uint64_t ordinal = 0;  ///< of the page whose bound is out of order, taken that it is too far outside
    std::uint64_t times = 0;    ///< so many bounds are; this is the first in the file
  };

  explicit BoundSequence(Order order = Order::none) noexcept : order_(order) {}

  /// The bounds of the next page, in the order of the file.
  void add(std::uint64_t ordinal, std::span<const std::uint8_t> min, std::span<const std::uint8_t> max);
  /// A page has bounds that are not usable.
  void pass_over() noexcept { whole_ = false; }

  [[nodiscard]] bool is_ascending() const noexcept { return comparable_ && rising_.times == 0; }
  [[nodiscard]] bool is_descending() const noexcept { return comparable_ && falling_.times == 0; }
  [[nodiscard]] bool is(BoundaryOrder order) const noexcept {
    return order == BoundaryOrder::ASCENDING ? is_ascending() : is_descending();
  }
  [[nodiscard]] const Break& break_of(BoundaryOrder order) const noexcept {
    return order == BoundaryOrder::ASCENDING ? rising_ : falling_;
  }
  /// Nothing keeps the bounds from being compared.
  [[nodiscard]] bool is_comparable() const noexcept { return comparable_; }
  /// The bounds of all pages are known.
  [[nodiscard]] bool is_intact() const noexcept { return whole_ && comparable_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  Order order_;
  bool whole_ = true;
  bool comparable_ = true;
  Break rising_;   // what keeps the bounds from being ascending
  Break falling_;  // and from being descending
  std::uint64_t count_ = 0;
  std::uint64_t last_ = 0;         // page
  std::vector<std::uint8_t> min_;  // of the last page
  std::vector<std::uint8_t> max_;
};

/// The lowest and the highest bound of all pages.
class OutermostBounds {
 public:
  struct End {
    View bound;
    std::uint64_t ordinal = 0;  ///< of the page
    bool any = false;
  };

  explicit OutermostBounds(Order order = Order::none) noexcept : order_(order) {}

  /// The bounds of a page; they outlive the object.
  void add(std::uint64_t ordinal, const View& min, const View& max) noexcept;
  [[nodiscard]] const End& of(IndexList list) const noexcept {
    return list == IndexList::min_values ? low_ : high_;
  }

 private:
  Order order_;
  End low_;
  End high_;
};

}  // namespace parqproof
