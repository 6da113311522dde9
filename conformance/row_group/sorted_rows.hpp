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

/// Result of comparing the rows of a row group with its sorting columns.
struct SortingVerdict {
  /// A pair of adjacent rows that contradicts a SortingColumn.
  struct Fault {
    std::size_t key = 0;     ///< index of the key
    std::string_view field;  ///< the wrong field of the SortingColumn
    Contrast what;
  };

  std::optional<Fault> order;  ///< values are out of order
  std::optional<Fault> nulls;  ///< nulls are out of order, and values are not
  std::optional<Fault> nan;    ///< a compared value is NaN
  std::string why_not;         ///< why not all rows were compared; empty if they were
};

/// Reads the sorting columns of a row group in parallel and compares each row with the previous one. Memory:
/// one row, and the cursors.
class SortedRows {
 public:
  /// `keys` are columns without repetition whose chunks are intact and have the same number of rows.
  SortedRows(const FileCheck& check, const RowGroupClaim& group, std::span<const SortKey> keys);

  [[nodiscard]] SortingVerdict run();

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
  std::optional<std::size_t> first_;  // index of the key in which the first wrong pair differs
  std::uint64_t row_ = 0;
};

}  // namespace parqproof
