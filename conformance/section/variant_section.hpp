#pragma once

#include <cstdint>
#include <span>

#include "codec/base/limits.hpp"
#include "codec/rules/finding.hpp"

namespace parqproof {

/// Judges a Variant without columns: its metadata, directly followed by its value. Offsets count from the
/// first byte. Findings are in the order of their bytes.
[[nodiscard]] Findings judge_variant(std::span<const std::uint8_t> bytes, const Limits& limits);

}  // namespace parqproof
