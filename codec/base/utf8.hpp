#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// Index of the first byte that does not begin or continue well-formed UTF-8 (no surrogates, no overlong
/// forms, nothing above U+10FFFF), or bytes.size() where all is well.
[[nodiscard]] std::size_t utf8_error(std::span<const std::uint8_t> bytes) noexcept;

/// Whether all bytes are below 0x80.
[[nodiscard]] bool is_ascii(std::span<const std::uint8_t> bytes) noexcept;

/// One character of UTF-8, or one byte that is none.
struct Character {
  char32_t code = 0;  ///< the byte, where it is no character
  std::size_t length = 1;
  bool valid = true;
};

/// The character at byte `at` of a text, which has that byte.
[[nodiscard]] Character character_at(std::string_view text, std::size_t at) noexcept;

/// Characters that steer a terminal instead of showing: C0, DEL, C1, line separators, and those that turn the
/// direction of writing.
[[nodiscard]] bool is_control(char32_t code) noexcept;

}  // namespace parqproof
