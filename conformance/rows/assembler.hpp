#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/rows/fields.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/row_chunks.hpp"
#include "conformance/rows/row_options.hpp"

namespace parqproof {

/// Puts the entries of all columns of a row group together to rows (README.md#nested-encoding).
class Assembler {
 public:
  /// Opens a cursor for each leaf that the fields need. What ends the rows goes to `failure`.
  Assembler(ReadingContext& context, const Fields& fields, DamagedRows damaged, ReadingFailure& failure);

  /// Goes to the first row of a row group; `chunks` are those of Fields::leaves. They and the damage, which
  /// is null with DamagedRows::end, stay where they are.
  [[nodiscard]] bool open(const std::vector<RowChunk>& chunks, const RowGroupDamage* damage);

  enum class Step : std::uint8_t {
    row,
    left_out,  ///< the row lacks a value, and is not shown
    broken,    ///< the levels of its columns make no row, which the failure says; the rows behind it stand
    end,
    failed,
  };

  /// Replaces `row` by the text of the next row.
  [[nodiscard]] Step next(std::string& row);
  /// Passes over the next row.
  [[nodiscard]] Step skip();
  /// Passes over the rows up to `row` of the row group, where no column has a value in the first of them, or
  /// they are all that are left. The next row takes each column to its place.
  void skip_to(std::uint64_t row) noexcept { rows_ = row; }

  /// Rows of the row group that were passed over or shown.
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  /// After a failure: the column, by its ordinal in Fields::leaves, that cannot be read any further.
  [[nodiscard]] std::size_t failed_column() const noexcept { return failed_column_; }
  [[nodiscard]] std::int32_t failed_page() const noexcept { return columns_[failed_column_]->place().page; }
  /// No column has a value in the row that was passed last.
  [[nodiscard]] bool has_no_column() const noexcept;

 private:
  /// Whether the column has no value in the row that was passed last.
  [[nodiscard]] bool is_absent(std::size_t column) const noexcept {
    return damage_ != nullptr && parts_[column].absent;
  }

  /// Where a column of a damaged chunk stands.
  struct Part {
    const ChunkDamage* damage = nullptr;  // null: nothing of the chunk is known to be damaged
    std::size_t next = 0;                 // the first part that does not end before the row
    std::size_t opened = SIZE_MAX;        // the part that the cursor is in
    bool absent = false;                  // the row is in a gap
    std::uint64_t start = 0;              // the first entry of the row
  };

  Step begin_row();
  bool place(std::size_t column);
  Step leave_out();
  bool pass_row(std::size_t column);
  bool member(const Field& child);
  bool value(const Field& field);
  bool elements(const Field& field);
  bool content(const Field& field);
  bool defined(const Field& field, bool& is);
  bool nothing(const Field& field, std::string_view text);
  bool has_room(std::size_t column, std::size_t more);
  bool disagree(std::size_t column, const Field& field);
  void suspect(std::size_t column);
  bool is_suspect();
  /// Takes the fault of a column. Always false, for the caller to return.
  bool fail(std::size_t column, const PageFault& fault);
  bool chunk_fault(std::size_t column, Rule rule, std::string_view field, Contrast what);
  bool level_fault(std::size_t column, Rule rule, std::uint32_t found, std::uint32_t expected);
  /// levels/repetition-after-empty: the entry continues a list that the one before it has not begun.
  bool continues_nothing(std::size_t column);
  /// Goes to the next entry of a column.
  bool advance(std::size_t column) {
    previous_[column] = columns_[column]->definition();
    const PageResult<void> moved = columns_[column]->next();
    return moved || fail(column, *moved.error());
  }

  ReadingContext* context_;
  const Fields* fields_;
  ReadingFailure* failure_;
  const std::vector<RowChunk>* chunks_ = nullptr;
  std::vector<std::unique_ptr<ColumnCursor>> columns_;
  std::string* row_ = nullptr;
  std::vector<std::uint32_t> previous_;  // the definition level of the entry before, of each column
  std::string text_;                     // of a value while it is written
  std::uint64_t rows_ = 0;               // of the row group
  DamagedRows damaged_;
  const RowGroupDamage* damage_ = nullptr;
  std::vector<Part> parts_;  // of each column
  std::size_t failed_column_ = 0;
  std::vector<std::pair<std::size_t, std::int32_t>> suspects_;  // columns and their pages: see suspect()
  bool is_row_alone_ = false;  // the last failure is one of the levels of a row; all columns can be read on
};

}  // namespace parqproof
