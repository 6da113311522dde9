#include "conformance/row_group/sorted_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/row_group/group_cursors.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kRowsAtOnce = 4'096;  // rows between two checks for cancellation

constexpr const char* kUnreadable = "a sorting column cannot be read a second time";

class SortedRows {
 public:
  SortedRows(const FileCheck& check, const RowGroupClaim& group, std::span<const SortKey> keys)
      : check_(check), group_(group), context_{check.footer.schema, check.options.limits} {
    for (const SortKey& key : keys) {
      Column column;
      column.key = key;
      column.cursor = std::make_unique<ColumnCursor>(context_, key.leaf, kHeaderReadAhead);
      columns_.push_back(std::move(column));
    }
  }

  [[nodiscard]] SortingVerdict run() {
    const auto at_end = [](const Column& column) { return column.cursor->at_end(); };
    if (!open() || std::ranges::any_of(columns_, at_end)) return std::move(verdict_);
    while (advance()) {
      if (row_ % kRowsAtOnce == 0 && check_.cancelled()) {
        stop("the check was stopped");
        break;
      }
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (compare_with_row_before(i) != Pair::equal) break;
      }
    }
    if (verdict_.why_not.empty()) conclude();
    return std::move(verdict_);
  }

 private:
  /// A column, its previous value, and the counts of its ordered and unordered pairs.
  struct Column {
    SortKey key;
    std::unique_ptr<ColumnCursor> cursor;
    std::vector<std::uint8_t> before;
    bool null_before = false;
    std::uint64_t right = 0;  ///< pairs of values in the stated order
    std::uint64_t wrong = 0;  ///< pairs of values in the opposite order
    std::uint64_t wrong_nulls = 0;
    Contrast first_wrong;
    Contrast first_wrong_null;
  };
  enum class Pair : std::uint8_t { equal, decided, undecided };

  [[nodiscard]] bool open() {
    for (Column& column : columns_) {
      const std::optional<StoredChunk> stored = stored_chunk(check_, group_, column.key.leaf);
      if (!stored) return stop("the metadata of a sorting column cannot be read");
      if (const PageResult<void> opened = column.cursor->open(*stored); !opened) return stop(kUnreadable);
    }
    return true;
  }

  /// Advances to the next row; returns false at the end or if the row cannot be read.
  [[nodiscard]] bool advance() {
    for (Column& column : columns_) {
      ColumnCursor& cursor = *column.cursor;
      column.null_before = cursor.definition() != cursor.leaf().max_definition;
      if (!column.null_before) {
        const std::span<const std::uint8_t> value = cursor.value();
        column.before.assign(value.begin(), value.end());
      }
      if (const PageResult<void> next = cursor.next(); !next) return stop(kUnreadable);
      if (const PageResult<void> settled = cursor.settle(); !settled) return stop(kUnreadable);
    }
    ++row_;
    const auto at_end = [](const Column& column) { return column.cursor->at_end(); };
    if (std::ranges::none_of(columns_, at_end)) return true;
    if (!std::ranges::all_of(columns_, at_end)) stop("its columns differ in their rows");
    return false;
  }

  [[nodiscard]] Pair compare_with_row_before(std::size_t index) {
    Column& column = columns_[index];
    const ColumnCursor& cursor = *column.cursor;
    const Order order = column.key.order;
    const bool null = cursor.definition() != cursor.leaf().max_definition;
    if (null || column.null_before) return compare_nulls(index, null);
    const std::span<const std::uint8_t> value = cursor.value();
    const Comparison found = compare(order, column.before, value);
    if (found == Comparison::equal) {
      // Zeros of different signs may be in order or equal.
      const bool alike = !is_floating(order) || std::ranges::equal(column.before, value);
      return alike ? Pair::equal : Pair::undecided;
    }
    if (found == Comparison::unordered) {
      if (!verdict_.nan && is_floating(order)) {
        const bool here = is_nan(order, value);
        verdict_.nan = {index, "column_idx",
                        contrast(row_of(column, here ? "NaN" : "a number behind NaN"), "numbers alone")};
      }
      return Pair::undecided;
    }
    if ((found == Comparison::less) != column.key.descending) {
      ++column.right;
      return Pair::decided;
    }
    if (column.wrong++ == 0) {
      column.first_wrong =
          contrast(row_of(column, short_text(value, cursor.leaf())),
                   column.key.descending ? short_value_or_less(column.before, cursor.leaf())
                                         : short_value_or_more(column.before, cursor.leaf()));
    }
    if (!first_) first_ = index;
    return Pair::decided;
  }

  [[nodiscard]] Pair compare_nulls(std::size_t index, bool null) {
    Column& column = columns_[index];
    if (null == column.null_before) return Pair::equal;
    if (null == column.key.nulls_first) {
      if (column.wrong_nulls++ == 0) {
        column.first_wrong_null =
            contrast(row_of(column, null ? "a null behind a value" : "a value behind a null"),
                     column.key.nulls_first ? "nulls first" : "nulls last");
      }
      if (!first_) first_ = index;
    }
    return Pair::decided;
  }

  /// Describes `value` of the current row.
  [[nodiscard]] std::string row_of(const Column& column, std::string_view value) const {
    return std::string(value) + " in row " + std::to_string(row_) + ", page " +
           std::to_string(column.cursor->place().page) + " of column " +
           check_.footer.schema.dotted_path(check_.footer.schema.leaf_index(column.key.leaf));
  }

  /// Gives the reason why rows are not compared.
  bool stop(std::string why) {
    verdict_.why_not = std::move(why);
    return false;
  }

  /// Reports the field that would be right with its other value, or column_idx if there is none.
  void conclude() {
    if (!first_) return;
    Column& column = columns_[*first_];
    if (column.wrong != 0) {
      verdict_.order = {*first_, column.right == 0 ? "descending" : "column_idx",
                        std::move(column.first_wrong)};
    } else {
      verdict_.nulls = {*first_, "nulls_first", std::move(column.first_wrong_null)};
    }
  }

  const FileCheck& check_;
  const RowGroupClaim& group_;
  ReadingContext context_;
  std::vector<Column> columns_;
  SortingVerdict verdict_;
  std::optional<std::size_t> first_;  // index of the key in which the first wrong pair differs
  std::uint64_t row_ = 0;
};

}  // namespace

SortingVerdict compare_rows(const FileCheck& check, const RowGroupClaim& group,
                            std::span<const SortKey> keys) {
  return SortedRows(check, group, keys).run();
}

}  // namespace parqproof
