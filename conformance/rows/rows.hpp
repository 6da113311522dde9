#pragma once

#include <cstdint>
#include <string>

#include "codec/base/source.hpp"
#include "conformance/report/out.hpp"
#include "conformance/rows/left_out.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/row_options.hpp"

namespace parqproof {

enum class RowsEnd : std::uint8_t {
  whole,      ///< all that was asked for is written
  failed,     ///< the ReadingFailure says what ended it
  no_column,  ///< `column` names nothing in the schema
  no_lookup,  ///< `why` the rows cannot be looked up, or not all of them
  cancelled,
};

/// How the writing of rows ended.
struct RowsOutcome {
  RowsEnd end = RowsEnd::whole;
  std::string
      column;        ///< with no_column: the path; with failed: that of the column at fault, if there is one
  std::string file;  ///< with failed: the file beside this one that the finding is in; empty: this one
  std::string why;   ///< with no_lookup
  LeftOut left_out;  ///< where damaged rows are passed over
  std::uint64_t wrong_checksums = 0;  ///< pages that were read although theirs is wrong
};

/// Writes the rows of a file as JSON Lines. Total: any bytes give rows up to the first that cannot be
/// assembled. Memory is bounded by leaves times page and dictionary, and one row.
[[nodiscard]] RowsOutcome write_rows(const Source& file, const RowOptions& options, Out& out,
                                     ReadingFailure& failure);

}  // namespace parqproof
