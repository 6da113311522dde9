#pragma once

#include <optional>
#include <span>

#include "conformance/diagnosis/transfer/mangling.hpp"

namespace parqproof {

/// file/bytes-missing, file/bytes-inserted, file/text-mode: from one byte on, or from several, all structures
/// stand a number of bytes in front of the places that the footer states, or behind them. The footer can be
/// read. Nothing where the structures do not agree on it, or where a footer with wrong offsets would look
/// alike. `stated`: stated_structures().
[[nodiscard]] std::optional<Mangling> find_shifts(const FileCheck& as_is, std::span<const Region> stated);

}  // namespace parqproof
