#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Reads the magic at both ends and the footer length of the file whose last byte is before `end`.
void check_frame(FileCheck& check, std::uint64_t end);

/// Reads the footer strictly into ParsedFooter, and judges what it says of itself: FileMetaData, schema, row
/// groups and column metadata.
void check_footer(FileCheck& check);

/// footer/num-rows: the row count of the file against the sum over its row groups, both of what they state
/// and of what their columns hold. For after check_row_groups().
void check_num_rows(FileCheck& check);

}  // namespace parqproof
