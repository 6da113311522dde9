#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "conformance/row_group/sorting_columns.hpp"

namespace parqproof {

/// What the rows of a row group show of its sorting columns.
struct SortingVerdict {
  /// A row that contradicts, with the row before, what is said of a sorting column.
  struct Fault {
    std::size_t key = 0;     ///< which of the keys
    std::string_view field;  ///< of the SortingColumn: which of its fields lies
    Contrast what;
  };

  std::optional<Fault> order;  ///< values are out of order
  std::optional<Fault> nulls;  ///< else: nulls are
  std::optional<Fault> nan;    ///< a NaN stands where rows are compared
  std::string why_not;         ///< why the rows could not be compared to the last one; empty: they were
};

/// Goes along the columns that a row group is said to be sorted by, side by side, and compares each row with
/// the one before. It keeps one row, and what the cursors hold.
class SortedRows {
 public:
  /// `keys` are columns without repetition whose chunks are whole and of the same number of rows.
  SortedRows(const FileCheck& check, const RowGroupClaim& group, std::span<const SortKey> keys);

  [[nodiscard]] SortingVerdict run();

 private:
  /// One column, the row before, and what its pairs of neighbours decide.
  struct Column {
    SortKey key;
    std::unique_ptr<ColumnCursor> cursor;
    std::vector<std::uint8_t> before;
    bool null_before = false;
    std::uint64_t right = 0;  ///< pairs of values in the order that is claimed
    std::uint64_t wrong = 0;  ///< and in the other one
    std::uint64_t wrong_nulls = 0;
    Contrast first_wrong;
    Contrast first_wrong_null;
  };
  enum class Pair : std::uint8_t { equal, decided, undecided };

  [[nodiscard]] bool open();
  [[nodiscard]] bool advance();
  [[nodiscard]] Pair compare_with_row_before(std::size_t index);
  [[nodiscard]] Pair compare_nulls(std::size_t index, bool null);
  [[nodiscard]] std::string row_of(const Column& column, std::string_view value) const;
  [[nodiscard]] bool fail(const PageFault& fault);
  void conclude();

  const FileCheck& check_;
  const RowGroupClaim& group_;
  ReadingContext context_;
  std::vector<Column> columns_;
  SortingVerdict verdict_;
  std::optional<std::size_t> first_;  // of the keys, at which the first wrong pair differs
  std::uint64_t row_ = 0;
};

}  // namespace parqproof
