#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/indexes/column_index_entries.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/observers/page_tally.hpp"
#include "conformance/state/chunk_scope.hpp"
#include "conformance/statistics/statistics_check.hpp"

namespace parqproof {

/// Compares the ColumnIndex of a chunk with the data pages (column-index/*). Each entry is judged once, in
/// the order of the pages: by its page as far as that is known, else alone. Findings are made at the end,
/// because an index whose number of entries is not the number of pages does not describe these pages.
class ColumnIndexCheck {
 public:
  ColumnIndexCheck() = default;
  /// `scope` has a ColumnIndex, and outlives the claims.
  explicit ColumnIndexCheck(const ChunkScope& scope);

  /// Returns true if there are claims that only the values can confirm.
  [[nodiscard]] bool are_about_values() const noexcept;
  /// The order of the bounds; none if it is not known, or if there can be no bounds.
  [[nodiscard]] Order order() const noexcept { return order_; }

  /// Judges the entry of a data page that was read. `ordinal`: of the page among the data pages. `tally`: of
  /// its values; null if they are not known, and then `find` is not used.
  void page(std::uint64_t ordinal, const PageEnd& end, const ValueTally* tally = nullptr,
            const PageClaims::Find& find = {});
  /// Number of entries that are judged.
  [[nodiscard]] std::uint64_t entries() const noexcept { return entries_.count(); }
  /// Called after the last readable page: judges the remaining entries, and makes the findings. `data_pages`:
  /// number of data pages, if known.
  void end(std::optional<std::uint64_t> data_pages);

 private:
  /// The page of an entry, as far as it was read.
  struct Evidence {
    const PageEnd* page = nullptr;       ///< null if it was not read
    const ValueTally* values = nullptr;  ///< null if they are not known
    const PageClaims::Find* find = nullptr;

    [[nodiscard]] bool has_levels() const noexcept { return page != nullptr && page->levels_known; }
  };
  /// The findings of one rule in one list.
  struct Pending {
    Rule rule{};
    IndexList list{};
    std::uint64_t ordinal = 0;  ///< of the first entry
    std::uint64_t times = 0;
    Contrast what;
  };
  using Words = std::function<Contrast()>;

  void fault(Rule rule, IndexList list, std::uint64_t ordinal, const Words& words);
  void report(Rule rule, std::string_view path, Contrast what, std::uint64_t times = 1) const;
  void judge(const IndexEntry& entry, const Evidence& evidence);
  [[nodiscard]] bool judge_null_count(const IndexEntry& entry, const Evidence& evidence);
  void judge_nan_count(const IndexEntry& entry, const Evidence& evidence);
  [[nodiscard]] bool agrees(const IndexEntry& entry, const Evidence& evidence);
  [[nodiscard]] bool may_be_right(const IndexEntry& entry, bool counted);
  void judge_null_bounds(const IndexEntry& entry);
  void judge_bounds(const IndexEntry& entry, const Evidence& evidence);
  [[nodiscard]] bool has_form(const IndexEntry& entry, IndexList list, const View& bound);
  [[nodiscard]] bool encloses(const IndexEntry& entry, const Evidence& evidence, IndexList list,
                              const View& bound);
  [[nodiscard]] bool holds(const IndexEntry& entry, const Evidence& evidence, IndexList list,
                           const View& bound);
  void judge_complete() const;
  void judge_lengths(std::uint64_t pages) const;
  void judge_boundary_order() const;
  void judge_chunk_bounds() const;

  const ChunkScope* scope_ = nullptr;
  Order order_ = Order::none;
  IndexEntries entries_;
  std::uint64_t next_ = 0;       // entry
  BoundSequence sequence_;       // of the bounds without a fault
  BoundSequence true_sequence_;  // of the min and max values of the same pages
  OutermostBounds outermost_;
  std::vector<Pending> pending_;
  bool has_orderless_bounds_ = false;  // an entry states bounds, and the column has no order
  bool values_known_ = true;           // of all pages so far
};

}  // namespace parqproof
