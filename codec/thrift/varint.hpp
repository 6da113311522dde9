#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codec/base/cursor.hpp"

namespace parqproof::thrift {

/// A varint of the compact protocol, whatever it counts: up to ten bytes, of which the low 64 bits are kept.
struct WireVarint {
  enum class Framing : std::uint8_t {
    whole,
    cut,      ///< the bytes end inside it
    endless,  ///< ten bytes and no end
  };

  std::uint64_t value = 0;
  std::uint32_t length = 0;  ///< bytes that it takes
  bool fits = true;          ///< into 64 bits
  bool canonical = true;     ///< in its shortest form
  Framing framing = Framing::whole;
};

/// Reads the next varint; one that is not whole consumes nothing.
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

/// Whether it is an i16, as the id of a field is, in three bytes at most.
[[nodiscard]] inline bool fits_field_id(const WireVarint& number) noexcept {
  return number.fits && number.length <= 3 && number.value <= UINT16_MAX;
}

}  // namespace parqproof::thrift
