#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace parqproof {

/// Index of the first byte that does not begin or continue well-formed UTF-8 (no surrogates, no overlong
/// forms, nothing above U+10FFFF), or bytes.size() where all is well.
[[nodiscard]] std::size_t utf8_error(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace parqproof
