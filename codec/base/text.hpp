#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Formatting of bytes and numbers.
namespace parqproof {

/// Count with its noun: `1 page`, `2 pages`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// ASCII, whatever the locale is.
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// Returns true for an ASCII letter or digit, and for one of `more`.
[[nodiscard]] constexpr bool is_alphanumeric(char c, std::string_view more = {}) noexcept {
  return is_letter(c) || is_digit(c) || more.contains(c);
}

/// An ASCII letter in lower case; any other byte as it is.
[[nodiscard]] constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] std::string to_lower(std::string_view text);

/// Lower-case hex digits, two for each byte; `between` separates the bytes.
[[nodiscard]] std::string hex(std::span<const std::uint8_t> bytes, std::string_view between = {});
void append_hex(std::string& out, std::span<const std::uint8_t> bytes);

/// Eight hex digits, most significant first.
[[nodiscard]] std::string hex_number(std::uint32_t number);

/// The shortest text that parses to the same number, or `NaN`, `Infinity`, `-Infinity`. The text of a float
/// also parses to the same float via double.
[[nodiscard]] std::string shortest(double value);
[[nodiscard]] std::string shortest(float value);

}  // namespace parqproof
