#pragma once

#include <optional>

#include "conformance/diagnosis/transfer/mangling.hpp"

namespace parqproof {

/// file/bytes-missing and file/bytes-inserted in the footer, or between it and its length: a FileMetaData
/// begins elsewhere than the footer length says, and cannot be read to its end or ends too early. `as_is` is
/// lost, and has a tail.
[[nodiscard]] std::optional<Mangling> find_broken_footer(const FileCheck& as_is);

}  // namespace parqproof
