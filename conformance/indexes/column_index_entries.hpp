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

/// The lists of a ColumnIndex with one entry per data page.
enum class IndexList : std::uint8_t { null_pages, min_values, max_values, null_counts, nan_counts };
inline constexpr std::array kIndexLists{IndexList::null_pages, IndexList::min_values, IndexList::max_values,
                                        IndexList::null_counts, IndexList::nan_counts};
[[nodiscard]] std::string_view name_of(IndexList list) noexcept;

/// The entries of a ColumnIndex for one page; nothing if a list is absent or left out.
struct IndexEntry {
  std::uint64_t ordinal = 0;  ///< of the page among the data pages
  std::optional<bool> is_null_page;
  std::optional<View> min;
  std::optional<View> max;
  std::optional<std::int64_t> nulls;
  std::optional<std::int64_t> nans;
  std::optional<std::int64_t> rows;  ///< of the page, by the OffsetIndex; never negative

  [[nodiscard]] bool has_bounds() const noexcept { return (min && !min->empty()) || (max && !max->empty()); }
};

/// The entries of a ColumnIndex, one after the other. Lists that do not have the most frequent length are
/// left out, because the position of their missing entries is not known.
class IndexEntries {
 public:
  IndexEntries() = default;
  /// `pages`, if given, is the OffsetIndex of a chunk of `rows` rows. All outlive the entries.
  IndexEntries(const ColumnIndex& index, const OffsetIndex* pages, std::int64_t rows, const Limits& limits);

  /// Number of entries of the lists that are not left out.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] bool has(IndexList list) const noexcept;
  [[nodiscard]] const thrift::List& list(IndexList list) const noexcept;
  /// The next entry; `ordinal` is greater than that of the last call, and less than count().
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
  std::uint64_t page_ = UINT64_MAX;  // the page whose first row is next_row_
  std::optional<std::int64_t> next_row_;
};

/// The order of the bounds of pages, without null pages (parquet.thrift#BoundaryOrder).
class BoundSequence {
 public:
  /// The first bound that is not in the given order, and the number of such bounds.
  struct Break {
    IndexList list = IndexList::min_values;
    std::uint64_t ordinal = 0;  ///< of the page whose bound is out of order, assuming it is too far outside
    std::uint64_t times = 0;    ///< number of bounds out of order
  };

  explicit BoundSequence(Order order = Order::none) noexcept : order_(order) {}

  /// The bounds of the next page, in the order of the file.
  void add(std::uint64_t ordinal, std::span<const std::uint8_t> min, std::span<const std::uint8_t> max);
  /// Skips a page whose bounds are not usable.
  void pass_over() noexcept { is_complete_ = false; }

  [[nodiscard]] bool is_ascending() const noexcept { return comparable_ && rising_.times == 0; }
  [[nodiscard]] bool is_descending() const noexcept { return comparable_ && falling_.times == 0; }
  [[nodiscard]] bool is(BoundaryOrder order) const noexcept {
    return order == BoundaryOrder::ASCENDING ? is_ascending() : is_descending();
  }
  [[nodiscard]] const Break& break_of(BoundaryOrder order) const noexcept {
    return order == BoundaryOrder::ASCENDING ? rising_ : falling_;
  }
  /// Returns true if all bounds can be compared.
  [[nodiscard]] bool is_comparable() const noexcept { return comparable_; }
  /// Returns true if the bounds of all pages are known and can be compared.
  [[nodiscard]] bool is_intact() const noexcept { return is_complete_ && comparable_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  Order order_;
  bool is_complete_ = true;
  bool comparable_ = true;
  Break rising_;   // of the ascending order
  Break falling_;  // of the descending order
  std::uint64_t count_ = 0;
  std::uint64_t last_ = 0;         // page
  std::vector<std::uint8_t> min_;  // of the last page
  std::vector<std::uint8_t> max_;
};

/// The smallest and the largest bound of all pages.
class OutermostBounds {
 public:
  struct End {
    View bound;
    std::uint64_t ordinal = 0;  ///< of the page
    bool any = false;
  };

  explicit OutermostBounds(Order order = Order::none) noexcept : order_(order) {}

  /// Adds the bounds of a page; they outlive the object.
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
