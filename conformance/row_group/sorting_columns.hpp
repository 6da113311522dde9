#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/format/row_group.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// NotRun::what of sorting columns that could not be compared with the rows.
inline constexpr std::string_view kOrderOfRows = "the order of the rows";

/// A sorting column of a row group whose order can be judged.
struct SortKey {
  std::uint32_t entry = 0;  ///< index in sorting_columns
  std::uint32_t leaf = 0;
  Order order{};
  bool descending = false;
  bool nulls_first = false;
};

/// Returns the first sorting column of a row group if it can be judged.
[[nodiscard]] std::optional<SortKey> first_sort_key(const Context& context, const RowGroupClaim& group);

/// Judges the sorting_columns of the row groups, after their chunks were walked: sorting/column-index,
/// column-twice, empty-list, repeated-column, undefined-order, order, nulls, nan, page-order.
void check_sorting(FileCheck& check);

}  // namespace parqproof
