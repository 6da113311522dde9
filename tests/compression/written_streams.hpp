#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <utility>

#include "codec/base/append.hpp"
#include "tests/support/compressed.hpp"

namespace support {

using parqproof::append_le;

/// Bytes that do not compress.
inline Bytes noise(std::size_t size, std::uint32_t seed = 1) {
  Bytes data(size);
  for (std::uint8_t& byte : data) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<std::uint8_t>(seed >> 24);
  }
  return data;
}

/// A stream that is written element by element, together with the bytes that it expands to.
struct WrittenStream {
  Bytes stream;
  Bytes data;

  void literal_bytes(const Bytes& bytes) {
    append(stream, bytes);
    append(data, bytes);
  }
  void copied(std::size_t distance, std::size_t length) {
    REQUIRE((distance != 0 && distance <= data.size()));
    for (std::size_t i = 0; i < length; ++i) data.push_back(data[data.size() - distance]);
  }
};

/// Snappy: elements after a length that is prepended at the end.
struct Snappy : WrittenStream {
  void literal(std::size_t size, unsigned length_bytes = 0) {
    if (length_bytes == 0) {
      stream.push_back(static_cast<std::uint8_t>((size - 1) << 2));
    } else {
      stream.push_back(static_cast<std::uint8_t>((59 + length_bytes) << 2));
      append_le(stream, size - 1, length_bytes);
    }
    literal_bytes(noise(size, static_cast<std::uint32_t>(data.size())));
  }
  void copy(std::size_t distance, std::size_t length, unsigned distance_bytes) {
    if (distance_bytes == 1) {
      stream.push_back(static_cast<std::uint8_t>(distance >> 8 << 5 | (length - 4) << 2 | 1));
      stream.push_back(static_cast<std::uint8_t>(distance));
    } else {
      stream.push_back(static_cast<std::uint8_t>((length - 1) << 2 | (distance_bytes == 2 ? 2 : 3)));
      append_le(stream, distance, distance_bytes);
    }
    copied(distance, length);
  }
  [[nodiscard]] WrittenStream complete() const {
    Bytes all;
    std::size_t size = data.size();
    for (; size >= 0x80; size >>= 7) all.push_back(static_cast<std::uint8_t>(size | 0x80));
    all.push_back(static_cast<std::uint8_t>(size));
    append(all, stream);
    return {std::move(all), data};
  }
};

/// LZ4: one sequence after another, then the last literals.
struct Lz4 : WrittenStream {
  static std::uint8_t nibble(std::size_t length) {
    return static_cast<std::uint8_t>(std::min<std::size_t>(length, 15));
  }
  void extension(std::size_t length) {
    if (length < 15) return;
    for (length -= 15; length >= 255; length -= 255) stream.push_back(255);
    stream.push_back(static_cast<std::uint8_t>(length));
  }
  void sequence(std::size_t literals, std::size_t distance, std::size_t match) {
    stream.push_back(static_cast<std::uint8_t>(nibble(literals) << 4 | nibble(match - 4)));
    extension(literals);
    literal_bytes(noise(literals, static_cast<std::uint32_t>(data.size())));
    append_le(stream, distance, 2);
    extension(match - 4);
    copied(distance, match);
  }
  void last(std::size_t literals) {
    stream.push_back(static_cast<std::uint8_t>(nibble(literals) << 4));
    extension(literals);
    literal_bytes(noise(literals, static_cast<std::uint32_t>(data.size())));
  }
};

/// LZO1X: instructions of each kind, by their names in the description of the format.
struct Lzo : WrittenStream {
  void extension(std::size_t length, std::size_t base) {
    for (length -= base; length > 255; length -= 255) stream.push_back(0);
    stream.push_back(static_cast<std::uint8_t>(length));
  }
  void first_literals(std::size_t count) {  // at most 238
    stream.push_back(static_cast<std::uint8_t>(17 + count));
    literal_bytes(noise(count));
  }
  void literals(std::size_t count) {  // at least 4, not directly after other literals
    if (count - 3 < 16) {
      stream.push_back(static_cast<std::uint8_t>(count - 3));
    } else {
      stream.push_back(0);
      extension(count - 3, 15);
    }
    literal_bytes(noise(count, static_cast<std::uint32_t>(data.size())));
  }
  void short_match(std::size_t distance, std::size_t length) {  // 3 to 8 bytes, up to 2048 back
    stream.push_back(static_cast<std::uint8_t>((length - 1) << 5 | ((distance - 1) & 7) << 2));
    stream.push_back(static_cast<std::uint8_t>((distance - 1) >> 3));
    copied(distance, length);
  }
  void match(std::size_t distance, std::size_t length, std::size_t trailing) {  // up to 16384, or 49151 back
    const bool far = distance > 16384;
    const std::size_t rest = far ? distance - 16384 : distance - 1;
    const std::size_t most = far ? 7 : 31;
    const std::size_t first = far ? 16 | (rest >> 14) << 3 : 32;
    if (length - 2 <= most) {
      stream.push_back(static_cast<std::uint8_t>(first | (length - 2)));
    } else {
      stream.push_back(static_cast<std::uint8_t>(first));
      extension(length - 2, most);
    }
    append_le(stream, (rest & 0x3FFF) << 2 | trailing, 2);
    copied(distance, length);
    literal_bytes(noise(trailing, static_cast<std::uint32_t>(data.size())));
  }
  // Two bytes, up to 1024 back: directly after one to three literals of the instruction before.
  void match_of_two(std::size_t distance, std::size_t trailing) {
    first_byte_below_16(distance - 1, 2, distance, trailing);
  }
  // Three bytes, 2049 to 3072 back: directly after four literals or more.
  void match_of_three(std::size_t distance, std::size_t trailing) {
    first_byte_below_16(distance - 2049, 3, distance, trailing);
  }
  void first_byte_below_16(std::size_t rest, std::size_t length, std::size_t distance, std::size_t trailing) {
    stream.push_back(static_cast<std::uint8_t>((rest & 3) << 2 | trailing));
    stream.push_back(static_cast<std::uint8_t>(rest >> 2));
    copied(distance, length);
    literal_bytes(noise(trailing, static_cast<std::uint32_t>(data.size())));
  }
  void end() { append(stream, {0x11, 0, 0}); }
};

}  // namespace support
