#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace support {

using Bytes = std::vector<std::uint8_t>;

/// The bytes of pairs of hex digits; spaces are ignored.
[[nodiscard]] inline Bytes hex(std::string_view digits) {
  Bytes bytes;
  int high = -1;
  for (const char c : digits) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (high >= 0) bytes.push_back(static_cast<std::uint8_t>(high * 16 + digit));
    high = high < 0 ? digit : -1;
  }
  return bytes;
}

/// Characters as bytes.
[[nodiscard]] inline Bytes text(std::string_view characters) {
  return {characters.begin(), characters.end()};
}

/// A number in four bytes, the most significant first.
[[nodiscard]] inline Bytes big_endian(std::size_t number) {
  return {static_cast<std::uint8_t>(number >> 24), static_cast<std::uint8_t>(number >> 16),
          static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)};
}

inline void append(Bytes& out, const Bytes& more) { out.insert(out.end(), more.begin(), more.end()); }
[[nodiscard]] inline Bytes operator+(Bytes left, const Bytes& right) {
  append(left, right);
  return left;
}

/// The bytes [from, from + size), as long as there are any.
[[nodiscard]] inline Bytes part(const Bytes& bytes, std::size_t from, std::size_t size = SIZE_MAX) {
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(from);
  return {first, first + static_cast<std::ptrdiff_t>(std::min(size, bytes.size() - from))};
}
/// The first `size` bytes.
[[nodiscard]] inline Bytes cut(const Bytes& bytes, std::size_t size) { return part(bytes, 0, size); }

/// The bytes with another one at `at`.
[[nodiscard]] inline Bytes with(Bytes bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = value;
  return bytes;
}
/// The bytes [begin, end) as zeros.
inline void zero(Bytes& bytes, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at) bytes[at] = 0;
}

}  // namespace support
