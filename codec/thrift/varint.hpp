#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codec/base/cursor.hpp"

namespace parqproof::thrift {

/// A varint of the compact protocol of up to ten bytes. Only the low 64 bits are kept.
struct WireVarint {
  enum class Framing : std::uint8_t {
    complete,
    cut,      ///< the bytes end inside it
    endless,  ///< ten bytes without an end
  };

  std::uint64_t value = 0;
  std::uint32_t length = 0;  ///< bytes that encode it
  bool fits = true;          ///< it fits 64 bits
  bool canonical = true;     ///< encoded in the fewest bytes
  Framing framing = Framing::complete;
};

/// Reads the next varint. An incomplete one consumes nothing.
[[nodiscard]] inline WireVarint read_varint(Cursor& cursor) noexcept {
  constexpr std::size_t kMaxBytes = 10;
  WireVarint number;
  const std::uint8_t* bytes = cursor.data();
  const std::size_t room = std::min(cursor.remaining(), kMaxBytes);
  for (std::size_t i = 0; i < room; ++i) {
    const std::uint64_t bits = bytes[i] & 0x7FU;
    number.value |= bits << (7 * i);
    ++number.length;
    if (i == kMaxBytes - 1) number.fits = bits <= 1;
    if (bytes[i] < 0x80) {
      number.canonical = i == 0 || bytes[i] != 0;
      static_cast<void>(cursor.take(number.length));
      return number;
    }
  }
  number.framing = room == kMaxBytes ? WireVarint::Framing::endless : WireVarint::Framing::cut;
  return number;
}

/// Returns true if it is an i16 of at most three bytes, as field ids are.
[[nodiscard]] inline bool fits_field_id(const WireVarint& number) noexcept {
  return number.fits && number.length <= 3 && number.value <= UINT16_MAX;
}

}  // namespace parqproof::thrift
