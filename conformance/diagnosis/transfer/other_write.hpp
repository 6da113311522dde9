#pragma once

#include <span>
#include <vector>

#include "conformance/diagnosis/transfer/mangling.hpp"

namespace parqproof {

/// file/bytes-inserted: bytes of another write are before the file, or between its magic and its first page.
/// Evidence: the column chunks of the footer are valid if their offsets count from a later byte. At most 64
/// such bytes are tried: that by which the footer is too late, and each PAR1. `stated`: stated_structures().
[[nodiscard]] std::vector<Mangling> find_write_before(const FileCheck& as_is, std::span<const Region> stated);

/// file/bytes-inserted: the end of a longer file follows, which was overwritten without truncation. Evidence:
/// a complete footer ends inside the file, and errors or lost pages are before its end. Searches the file
/// once.
[[nodiscard]] std::vector<Mangling> find_write_after(const FileCheck& as_is, std::span<const Region> stated);

}  // namespace parqproof
