#pragma once

#include <cstdint>
#include <string>

#include "codec/rules/finding.hpp"

/// Places and numbers in words, as all texts of the program write them.
namespace parqproof {

/// "row group 0, column a.b (leaf 3), page 2"; empty where the place is the whole file. `column` is escaped
/// here.
[[nodiscard]] std::string place_text(const Place& place, const std::string& column);

/// "1234 (0x4d2)"
[[nodiscard]] std::string offset_text(std::uint64_t offset);

/// "1 page", "2 pages"
[[nodiscard]] std::string counted(std::uint64_t count, const char* noun);

}  // namespace parqproof
