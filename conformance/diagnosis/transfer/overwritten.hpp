#pragma once

#include <optional>
#include <span>

#include "conformance/diagnosis/transfer/mangling.hpp"

namespace parqproof {

/// file/overwritten: where pages, indexes or the footer are lost or wrong, a run of zeros, or sectors that
/// repeat those in front of them, stand in bytes that cannot hold that.
/// `stated`: stated_structures().
[[nodiscard]] std::optional<Mangling> find_overwritten(const FileCheck& as_is,
                                                       std::span<const Region> stated);

}  // namespace parqproof
