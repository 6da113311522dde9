#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Returns true if the bytes begin like a FileMetaData: version 1 or 2, followed by a list of structs.
[[nodiscard]] bool may_be_footer(View bytes);

/// Reads a truncated FileMetaData at the start of `bytes`, up to the first byte that cannot be read: the
/// schema, then the readable row groups. Returns nullopt if it has not even a schema root.
[[nodiscard]] std::optional<CutFooter> read_cut_footer(View bytes, const Limits& limits);

/// Returns the complete FileMetaData whose length and magic end at `end`, which is after the head magic;
/// nullopt if there is none.
[[nodiscard]] std::optional<CompleteFooter> footer_ending_at(const FileCheck& check, std::uint64_t end);

}  // namespace parqproof
