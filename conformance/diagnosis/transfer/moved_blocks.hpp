#pragma once

#include <optional>
#include <span>

#include "conformance/diagnosis/transfer/mangling.hpp"

namespace parqproof {

/// file/block-order: aligned blocks changed places, for example parts of an upload. Evidence: page headers,
/// indexes and filters that are not at their offsets, and are at the same offset of another block. Block
/// sizes from 512 bytes to 100 MiB are tried, the largest first, within the bound of StructureProbe. The file
/// with its blocks in order is the trial. `stated`: stated_structures().
[[nodiscard]] std::optional<Mangling> find_moved_blocks(const FileCheck& as_is,
                                                        std::span<const Region> stated);

}  // namespace parqproof
