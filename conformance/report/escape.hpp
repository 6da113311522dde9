#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/base/bytes.hpp"

/// Text from a file (names, values, created_by) and from the command line (paths) is always escaped.
namespace parqproof {

/// For a terminal: well-formed UTF-8 without control characters. These, and bytes that are not UTF-8, become
/// \n, \t, \x1b, \xff, \u202e; a backslash is doubled, so that the text can be decoded.
[[nodiscard]] std::string printable(std::string_view bytes);
/// As above, cut to about `most` bytes with "..." at the end.
[[nodiscard]] std::string printable(std::string_view bytes, std::size_t most);
/// Text that is printable already, cut to `most` bytes with "..." at the end.
[[nodiscard]] std::string shortened(std::string text, std::size_t most);

/// A JSON string with its quotes: valid UTF-8 for any bytes. Each byte that is not UTF-8 becomes U+FFFD.
/// Control characters are escaped, including DEL, C1 and those that change the direction of text.
[[nodiscard]] std::string json_string(std::string_view bytes);

/// Parses hex digits, two a byte, with optional white space between bytes. False for any other input.
[[nodiscard]] bool read_hex(std::string_view text, std::vector<std::uint8_t>& bytes);
/// The same without white space; nullopt for any other input.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> bytes_of_hex(std::string_view text);

/// shortest() as JSON: a number, with -0.0 for a negative zero, because many readers parse -0 as an integer;
/// or a string.
[[nodiscard]] std::string json_real(double value);

}  // namespace parqproof
