#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Holds the claims of each row group against its chunks: rows, sizes, offset, and the levels that its
/// columns share.
void check_row_groups(FileCheck& check);

/// The rows of a row group: what its columns hold, where num_rows states others; nothing where it states
/// none. For after check_row_groups().
[[nodiscard]] std::optional<std::int64_t> rows_of_group(const FileCheck& check, std::size_t row_group);

}  // namespace parqproof
