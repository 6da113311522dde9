#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Compares each row group with its chunks: rows, sizes, file_offset, and the levels of shared ancestors.
void check_row_groups(FileCheck& check);

/// Returns num_rows of a row group, or the number of rows of its columns if num_rows is wrong; nullopt if it
/// is absent. Call after check_row_groups().
[[nodiscard]] std::optional<std::int64_t> rows_of_group(const FileCheck& check, std::size_t row_group);

}  // namespace parqproof
