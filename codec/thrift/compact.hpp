#pragma once

#include <cstdint>

namespace parqproof::thrift {

/// Type nibbles of the Thrift compact protocol.
enum class Wire : std::uint8_t {
  stop = 0,
  bool_true = 1,  ///< also the element type of a list of booleans
  bool_false = 2,
  i8 = 3,
  i16 = 4,
  i32 = 5,
  i64 = 6,
  double_ = 7,
  binary = 8,
  list = 9,
  set = 10,
  map = 11,
  struct_ = 12,
  uuid = 13,  ///< 16 bytes
};

[[nodiscard]] constexpr bool is_wire_type(std::uint8_t nibble) noexcept {
  return nibble >= 1 && nibble <= 13;
}

/// Min encoded bytes of one element of a list, set or map.
[[nodiscard]] constexpr std::uint64_t min_encoded_size(Wire wire) noexcept {
  return wire == Wire::uuid ? 16 : wire == Wire::double_ ? 8 : 1;
}

/// Id of the field that every struct reserves for extensions (BinaryProtocolExtensions.md), and the id to
/// which the header bytes printed in that document decode.
inline constexpr std::int32_t kExtensionId = 32767;
inline constexpr std::int32_t kPrintedExtensionId = -16384;

/// Returns true if the field is the binary protocol extension of its struct.
[[nodiscard]] constexpr bool is_extension(std::int32_t id, Wire wire) noexcept {
  return id == kExtensionId || (id == kPrintedExtensionId && wire == Wire::binary);
}

}  // namespace parqproof::thrift
