#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/diagnosis/transfer/mangling.hpp"

namespace parqproof {

/// Whether the file has line feeds, and none with a carriage return in front of it.
[[nodiscard]] bool has_no_windows_lines(const Source& source);

/// file/text-mode of a file of which each line feed has a carriage return in front of it: the file as it was
/// has none of these.
[[nodiscard]] std::optional<Mangling> find_windows_lines(const FileCheck& as_is);

/// file/text-mode of a file that is UTF-8 from its first byte to its last, which the bytes of a Parquet file
/// with pages are not: other bytes were replaced, or each was written as a character. `as_is` is lost.
[[nodiscard]] std::optional<Mangling> find_utf8(const FileCheck& as_is);

}  // namespace parqproof
