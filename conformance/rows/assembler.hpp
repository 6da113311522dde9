#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "conformance/rows/fields.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/row_chunks.hpp"

namespace parqproof {

/// Puts the entries of all columns of a row group together to rows (README.md#nested-encoding).
class Assembler {
 public:
  /// Opens a cursor for each leaf that the fields need. What ends the rows goes to `failure`.
  Assembler(ReadingContext& context, const Fields& fields, ReadingFailure& failure);

  /// Goes to the first row of a row group; `chunks` are those of Fields::leaves, and stay where they are.
  [[nodiscard]] bool open(const std::vector<RowChunk>& chunks);

  enum class Step : std::uint8_t { row, end, failed };

  /// Replaces `row` by the text of the next row.
  [[nodiscard]] Step next(std::string& row);
  /// Passes over the next row.
  [[nodiscard]] Step skip();

 private:
  Step begin_row();
  bool value(const Field& field);
  bool elements(const Field& field);
  bool content(const Field& field);
  bool defined(const Field& field, bool& is);
  bool nothing(const Field& field, std::string_view text);
  bool has_room(std::size_t column, std::size_t more);
  bool disagree(std::size_t column, const Field& field);
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
};

}  // namespace parqproof
