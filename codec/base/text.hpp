#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Bytes and numbers as text.
namespace parqproof {

/// `1 page`, `2 pages`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// Lower-case hex digits, two a byte; `between` stands from one byte to the next.
[[nodiscard]] std::string hex(std::span<const std::uint8_t> bytes, std::string_view between = {});
void append_hex(std::string& out, std::span<const std::uint8_t> bytes);

/// The eight hex digits of a number, the most significant first.
[[nodiscard]] std::string hex_number(std::uint32_t number);

/// The shortest text that reads back to the same number; `NaN`, `Infinity`, `-Infinity`. That of a float does
/// so too where it is read as a double first.
[[nodiscard]] std::string shortest(double value);
[[nodiscard]] std::string shortest(float value);

}  // namespace parqproof
