#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The pages of a column chunk that have the values of its rows.
struct IntactPages {
  bool all = true;
  /// If not all: these pages; null if it is not known which rows their values belong to.
  const ReadablePages* some = nullptr;
};

/// `rows`: the number of rows of the row group.
[[nodiscard]] IntactPages intact_pages(const FileCheck& check, std::size_t row_group, std::size_t leaf,
                                       std::int64_t rows);

/// Returns a leaf of the row group whose pages have the values of other rows, if there is one: the chunk has
/// bounds that the footer states for another row group and not for this one; or, in a row group with pages
/// that cannot be read, all its values are outside of its Statistics. Other chunks of the row group may have
/// values of other rows without a trace.
[[nodiscard]] std::optional<std::size_t> leaf_of_other_rows(const FileCheck& check, std::size_t row_group);

/// Returns true if a row has its values in intact pages of all columns. `lost`: the losses of the file.
[[nodiscard]] bool has_intact_rows(const FileCheck& check, const std::vector<Lost>& lost);

}  // namespace parqproof
