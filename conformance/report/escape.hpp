#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/base/bytes.hpp"

/// What comes from a file (names, values, created_by) and from the command line (paths) is never printed as
/// it is.
namespace parqproof {

/// For a terminal: well-formed UTF-8 without control characters. They and bytes that are no UTF-8 become \n,
/// \t, \x1b, \xff, \u202e; a backslash is doubled, so that the text can be read back.
[[nodiscard]] std::string printable(std::string_view bytes);
/// The same, about `most` bytes of it at most and "..." behind them.
[[nodiscard]] std::string printable(std::string_view bytes, std::size_t most);
/// Text that is printable already: `most` bytes of it at most and "..." behind them.
[[nodiscard]] std::string shortened(std::string text, std::size_t most);

/// A JSON string with its quotes: valid UTF-8 whatever the bytes are. Each byte that is no UTF-8 becomes
/// U+FFFD; control characters are escaped, DEL, C1 and those that turn the direction of writing among them.
[[nodiscard]] std::string json_string(std::string_view bytes);

/// Reads hex digits, two a byte; white space between bytes is passed over. False where there is anything
/// else.
[[nodiscard]] bool read_hex(std::string_view text, std::vector<std::uint8_t>& bytes);

/// shortest() as JSON: a number, a negative zero as -0.0, for -0 is an integer to many readers; or a string.
[[nodiscard]] std::string json_real(double value);

}  // namespace parqproof
