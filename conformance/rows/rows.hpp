#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "conformance/report/out.hpp"
#include "conformance/rows/fields.hpp"
#include "conformance/rows/reading_failure.hpp"

namespace parqproof {

/// Which rows to show, and how.
struct RowOptions {
  RowView view = RowView::logical;
  std::vector<std::string> columns;  ///< dotted paths of leaves or groups; none: all
  std::uint64_t first = 0;           ///< rows before it are passed over
  std::uint64_t end = UINT64_MAX;    ///< one past the last row
  std::uint64_t limit = UINT64_MAX;  ///< rows at most
  Limits limits;
  Folder* folder =
      nullptr;  ///< of the file, for column chunks that file_path puts in others; null: none of those
  const std::atomic<bool>* cancelled = nullptr;  ///< set from outside: stop soon
};

enum class RowsEnd : std::uint8_t {
  whole,      ///< all that was asked for is written
  failed,     ///< the ReadingFailure says what ended it
  no_column,  ///< `column` names nothing in the schema
  cancelled,
};

/// How the writing of rows ended.
struct RowsOutcome {
  RowsEnd end = RowsEnd::whole;
  std::string
      column;        ///< with no_column: the path; with failed: that of the column at fault, if there is one
  std::string file;  ///< with failed: the file beside this one that the finding is in; empty: this one
};

/// Writes the rows of a file as JSON Lines. Total: any bytes give rows up to the first that cannot be
/// assembled. Memory is bounded by leaves times page and dictionary, and one row.
[[nodiscard]] RowsOutcome write_rows(const Source& source, const RowOptions& options, Out& out,
                                     ReadingFailure& failure);

}  // namespace parqproof
