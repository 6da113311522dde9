#pragma once

#include <cstdint>
#include <string>

#include "codec/base/source.hpp"
#include "conformance/report/out.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/row_output.hpp"

namespace parqproof {

enum class RowsEnd : std::uint8_t {
  complete,   ///< all requested rows are written
  failed,     ///< the ReadingFailure has the reason
  no_column,  ///< `column` is not in the schema
  no_lookup,  ///< some rows cannot be looked up, for the reason `why`
  cancelled,
};

/// Result of write_rows().
struct RowsOutcome {
  RowsEnd end = RowsEnd::complete;
  std::string column;  ///< with no_column: the path; with failed: path of the faulty column, if there is one
  std::string file;    ///< with failed: the named file that the finding is in; empty: the file itself
  std::string why;     ///< with no_lookup
  LeftOut left_out;    ///< set if damaged rows are passed over
  std::uint64_t wrong_checksums = 0;  ///< pages that were read despite a wrong checksum
};

/// Writes the rows of a file as JSON Lines. Any bytes are accepted; the rows end at the first that cannot be
/// assembled. Memory is bounded by one row, and one page and dictionary for each leaf.
[[nodiscard]] RowsOutcome write_rows(const Source& file, const RowOptions& options, Out& out,
                                     ReadingFailure& failure);

}  // namespace parqproof
