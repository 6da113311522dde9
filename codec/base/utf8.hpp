#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// Returns the index of the first byte that is not well-formed UTF-8 (surrogates, overlong forms and code
/// points above U+10FFFF are not), or bytes.size() if all bytes are well-formed.
[[nodiscard]] std::size_t utf8_error(std::span<const std::uint8_t> bytes) noexcept;

/// Returns true if all bytes are below 0x80.
[[nodiscard]] bool is_ascii(std::span<const std::uint8_t> bytes) noexcept;

/// One UTF-8 character, or one byte that is not part of one.
struct Character {
  char32_t code = 0;  ///< the byte itself if it is invalid
  std::size_t length = 1;
  bool valid = true;
};

/// Decodes the character at byte `at`, which must be inside `text`.
[[nodiscard]] Character character_at(std::string_view text, std::size_t at) noexcept;

/// Returns true for characters that control a terminal: C0, DEL, C1, line separators, and those that change
/// the writing direction.
[[nodiscard]] bool is_control(char32_t code) noexcept;

}  // namespace parqproof
