#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

/// Reads the sorting columns of a row group in parallel and compares each row with the previous one. `keys`
/// are columns without repetition whose chunks are intact and have the same number of rows. Memory: one row,
/// and the cursors.
[[nodiscard]] SortingVerdict compare_rows(const FileCheck& check, const RowGroupClaim& group,
                                          std::span<const SortKey> keys);

}  // namespace parqproof
