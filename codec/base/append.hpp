#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/base/bits.hpp"

/// Numbers, and room for more, appended to bytes.
namespace parqproof {

/// How many bytes `value` takes as ULEB128 of at least `least` bytes.
[[nodiscard]] constexpr std::uint64_t uleb_size(std::uint64_t value, unsigned least) noexcept {
  return std::max<std::uint64_t>({ceil_div(bit_width_for(value), 7), least, 1});
}

/// Appends `value` as ULEB128 of at least `least` bytes.
inline void append_uleb(std::vector<std::uint8_t>& out, std::uint64_t value, unsigned least = 1) {
  for (; value >= 0x80 || least > 1; value >>= 7, least -= least > 1 ? 1 : 0) {
    out.push_back(static_cast<std::uint8_t>(value | 0x80));
  }
  out.push_back(static_cast<std::uint8_t>(value));
}

/// Appends the lowest `bytes` bytes of `value`, little-endian.
inline void append_le(std::vector<std::uint8_t>& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// Appends `bytes` bytes and gives the place of the first, for the caller to write them.
[[nodiscard]] inline std::uint8_t* append_room(std::vector<std::uint8_t>& out, std::size_t bytes) {
  const std::size_t start = out.size();
  out.resize(start + bytes);
  return out.data() + start;
}

}  // namespace parqproof
