#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// A cursor for each column of a group, in one row group. The columns are read a second time, for rules that
/// compare the fields of one value.
class GroupCursors {
 public:
  /// The columns are [first, last), by ordinal of the leaf.
  GroupCursors(FileCheck& check, const RowGroupClaim& group, std::size_t first, std::size_t last);

  /// Returns the reason why the columns cannot be read, or are not worth it; empty if they can. Call it once.
  [[nodiscard]] static std::string obstacle(FileCheck& check, const RowGroupClaim& group, std::size_t first,
                                            std::size_t last);
  /// Goes to the first entries. Returns false if a column cannot be read.
  [[nodiscard]] bool open();
  /// Goes to the next entry of a column. Returns false if there is none, or it cannot be read.
  [[nodiscard]] bool advance(std::size_t leaf);

  [[nodiscard]] const ColumnCursor& operator[](std::size_t leaf) const { return *cursors_[leaf - first_]; }
  /// The value of the current entry of a column, which has one: at its place in the section of values, or at
  /// the first byte of that if the section does not have its bytes in one piece.
  [[nodiscard]] View value(std::size_t leaf) const;
  /// Returns true if the section of values has the bytes of the current value in one piece.
  [[nodiscard]] bool is_stored(std::size_t leaf) const;

 private:
  FileCheck& check_;
  const RowGroupClaim& group_;
  std::size_t first_;
  ReadingContext context_;
  std::vector<std::unique_ptr<ColumnCursor>> cursors_;
};

}  // namespace parqproof
