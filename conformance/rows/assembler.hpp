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
#include "conformance/rows/row_output.hpp"
#include "conformance/rows/variant_text.hpp"

namespace parqproof {

/// Assembles rows from the column entries of a row group (README.md#nested-encoding).
class Assembler {
 public:
  /// Opens a cursor for each leaf that the fields need. The reason for an early end goes to `failure`.
  Assembler(ReadingContext& context, const Fields& fields, DamagedRows damaged, ReadingFailure& failure);

  /// Goes to the first row of a row group. `chunks` are those of Fields::leaves; they and `damage`, which is
  /// null with DamagedRows::end, must outlive the reading of the row group.
  [[nodiscard]] bool open(const std::vector<RowChunk>& chunks, const RowGroupDamage* damage);

  enum class Step : std::uint8_t {
    row,
    left_out,  ///< the row lacks a value and is not shown
    broken,    ///< its levels do not form a row, see the failure; later rows are intact
    end,
    failed,
  };

  /// Replaces `row` by the text of the next row.
  [[nodiscard]] Step next(std::string& row);
  /// Passes over the next row.
  [[nodiscard]] Step skip();
  /// Passes over the rows before `row` of the row group. The caller knows that no column has a value in the
  /// first of them, or that they are the last ones. The next call of next() or skip() moves the columns.
  void skip_to(std::uint64_t row) noexcept { rows_ = row; }

  /// Number of rows of the row group that were passed over or shown.
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  /// Returns the ordinal in Fields::leaves of the column that cannot be read any further, after a failure.
  [[nodiscard]] std::size_t failed_column() const noexcept { return failed_column_; }
  [[nodiscard]] std::int32_t failed_page() const noexcept { return columns_[failed_column_]->place().page; }
  /// Returns true if no column has a value in the last row.
  [[nodiscard]] bool has_no_column() const noexcept;

 private:
  /// Returns true if the column has no value in the last row.
  [[nodiscard]] bool is_absent(std::size_t column) const noexcept {
    return damage_ != nullptr && parts_[column].absent;
  }

  /// The columns of a Variant.
  class VariantColumns;

  /// Position in a column of a damaged chunk.
  struct Part {
    const ChunkDamage* damage = nullptr;  // null if no damage of the chunk is known
    std::size_t next = 0;                 // the first part that does not end before the row
    std::size_t opened = SIZE_MAX;        // the part that the cursor is in
    bool absent = false;                  // the row is in a gap
    std::uint64_t start = 0;              // the first entry of the row
  };

  Step begin_row();
  bool place(std::size_t column);
  bool open_column(std::size_t column, const StoredChunk& stored);
  Step leave_out();
  bool pass_row(std::size_t column);
  bool member(const Field& child);
  bool value(const Field& field);
  bool elements(const Field& field);
  bool content(const Field& field);
  bool variant_value(const Field& field);
  bool defined(const Field& field, bool& is);
  bool nothing(const Field& field, std::string_view text);
  bool has_room(std::size_t column, std::size_t more);
  bool disagree(std::size_t column, const Field& field);
  void suspect(std::size_t column);
  bool is_suspect();
  /// Records the fault of a column; returns false for the caller to return.
  bool fail(std::size_t column, const PageFault& fault);
  bool chunk_fault(std::size_t column, Rule rule, std::string_view field, Contrast what);
  bool level_fault(std::size_t column, Rule rule, std::uint32_t found, std::uint32_t expected);
  /// levels/repetition-after-empty: the entry continues a list that the previous entry has not begun.
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
  std::vector<std::uint32_t> previous_;  // definition level of the previous entry, by column
  std::string text_;                     // scratch for one value
  std::vector<VariantText> variants_;    // of Fields::variants
  std::uint64_t rows_ = 0;               // rows of the row group so far
  DamagedRows damaged_;
  const RowGroupDamage* damage_ = nullptr;
  std::vector<Part> parts_;  // by column
  std::size_t failed_column_ = 0;
  std::vector<std::pair<std::size_t, std::int32_t>> suspects_;  // columns and their pages: see suspect()
  bool is_row_alone_ = false;  // the last failure affects one row only; all columns can be read further
};

/// Inputs and outputs of the reading of rows; all outlive it.
struct RowReading {
  const Source& source;
  RowOutput& output;
  RowFooter& footer;
  const Fields& fields;
  RowChunks& chunks;
  Assembler& assembler;
  Budget& budget;
  ReadingFailure& failure;
};

}  // namespace parqproof
