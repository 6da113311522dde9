#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/bits.hpp"

namespace parqproof {

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

/// Appends room for `slots` values of `width` bits and packs `values` into it, least significant bit first;
/// the bits behind them are those of `padding`.
template <std::unsigned_integral U>
void append_packed(std::vector<std::uint8_t>& out, std::span<const U> values, unsigned width,
                   std::uint64_t slots, std::uint8_t padding) {
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(ceil_div(slots * width, 8)), padding);
  std::size_t bit = 0;
  for (const U value : values) {
    for (unsigned done = 0; done < width;) {
      const auto shift = static_cast<unsigned>(bit % 8);
      const unsigned taken = std::min(8 - shift, width - done);
      const auto mask = static_cast<std::uint8_t>(low_bits(taken) << shift);
      const auto bits = static_cast<std::uint8_t>((static_cast<std::uint64_t>(value) >> done) << shift);
      std::uint8_t& byte = out[start + bit / 8];
      byte = static_cast<std::uint8_t>((byte & ~mask) | (bits & mask));
      bit += taken;
      done += taken;
    }
  }
}

/// Bits that the largest of `values` needs.
template <std::unsigned_integral U>
[[nodiscard]] unsigned width_of(std::span<const U> values) noexcept {
  U all = 0;
  for (const U value : values) all |= value;
  return static_cast<unsigned>(std::bit_width(all));
}

}  // namespace parqproof
