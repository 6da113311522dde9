#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/rows/column_cursor.hpp"
#include "conformance/rows/fields.hpp"

namespace parqproof {

/// Puts the entries of all columns of a row group together to rows (README.md#nested-encoding).
class Assembler {
 public:
  /// Opens a cursor for each leaf that the fields need.
  Assembler(ReadingContext& context, const Fields& fields);

  /// Goes to the first row of a row group; `chunks` are those of Fields::leaves.
  [[nodiscard]] bool open(const std::vector<ChunkPlace>& chunks);

  enum class Step : std::uint8_t { row, end, trouble };

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
  bool has_room(ColumnCursor& column, std::size_t more);
  bool disagree(std::size_t column, const Field& field);

  ReadingContext* context_;
  const Fields* fields_;
  std::vector<std::unique_ptr<ColumnCursor>> columns_;
  std::string* row_ = nullptr;
  std::string text_;        // of a value while it is written
  std::uint64_t rows_ = 0;  // of the row group
};

}  // namespace parqproof
