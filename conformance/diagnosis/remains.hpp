#pragma once

#include <cstdint>
#include <optional>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Returns the complete FileMetaData whose length and magic end at `end`, which is after the head magic;
/// nullopt if there is none.
[[nodiscard]] std::optional<CompleteFooter> footer_ending_at(const FileCheck& check, std::uint64_t end);

}  // namespace parqproof
