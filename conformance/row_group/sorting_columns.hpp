#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/format/row_group.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// A column that the rows of a row group are said to be sorted by, and that can be judged.
struct SortKey {
  std::uint32_t entry = 0;  ///< in sorting_columns
  std::uint32_t leaf = 0;
  Order order{};
  bool descending = false;
  bool nulls_first = false;
};

/// The order by which rows are compared: that which column_orders states for the leaf, else the type-defined
/// one.
[[nodiscard]] Order sorting_order(const ParsedFooter& footer, std::uint32_t leaf) noexcept;

/// The first sorting column of a row group, if it can be judged.
[[nodiscard]] std::optional<SortKey> first_sort_key(const Context& context, const RowGroupClaim& group);

/// Judges what the row groups say of the order of their rows, once their chunks were walked:
/// sorting/column-index, column-twice, empty-list, repeated-column, undefined-order, order, nulls, nan,
/// page-order.
void check_sorting(FileCheck& check);

}  // namespace parqproof
