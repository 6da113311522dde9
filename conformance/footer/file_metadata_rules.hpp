#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Reads the magic at both ends and the footer length of the file whose last byte is before `end`.
void check_frame(FileCheck& check, std::uint64_t end);

/// Reads the footer strictly into ParsedFooter, and judges it without reading the data: FileMetaData,
/// schema, row groups and column metadata.
void check_footer(FileCheck& check);

/// footer/num-rows: compares the row count of the file with the sum over its row groups, both as stated and
/// as counted in their columns. Must be called after check_row_groups().
void check_num_rows(FileCheck& check);

}  // namespace parqproof
