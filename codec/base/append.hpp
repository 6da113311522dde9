#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Functions that append numbers to byte vectors.
namespace parqproof {

/// Appends `value` as ULEB128 of at least `min_bytes` bytes.
inline void append_uleb(std::vector<std::uint8_t>& out, std::uint64_t value, unsigned min_bytes = 1) {
  for (; value >= 0x80 || min_bytes > 1; value >>= 7, min_bytes -= min_bytes > 1 ? 1 : 0) {
    out.push_back(static_cast<std::uint8_t>(value | 0x80));
  }
  out.push_back(static_cast<std::uint8_t>(value));
}

/// Appends the lowest `bytes` bytes of `value`, little-endian.
inline void append_le(std::vector<std::uint8_t>& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// Appends `bytes` zero bytes and returns the address of the first one, for the caller to overwrite.
[[nodiscard]] inline std::uint8_t* append_room(std::vector<std::uint8_t>& out, std::size_t bytes) {
  const std::size_t start = out.size();
  out.resize(start + bytes);
  return out.data() + start;
}

}  // namespace parqproof
