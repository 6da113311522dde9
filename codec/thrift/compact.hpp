#pragma once

#include <cstdint>

namespace parqproof::thrift {

/// The type nibbles of the Thrift compact protocol.
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

/// The fewest bytes that one element of a list, set or map can take.
[[nodiscard]] constexpr std::uint64_t min_encoded_size(Wire wire) noexcept {
  return wire == Wire::uuid ? 16 : wire == Wire::double_ ? 8 : 1;
}

/// The field that every struct reserves for extensions (BinaryProtocolExtensions.md), and the id as which the
/// header bytes that the document prints decode.
inline constexpr std::int32_t kExtensionId = 32767;
inline constexpr std::int32_t kPrintedExtensionId = -16384;

/// Whether a field is the extension of its struct.
[[nodiscard]] constexpr bool is_extension(std::int32_t id, Wire wire) noexcept {
  return id == kExtensionId || (id == kPrintedExtensionId && wire == Wire::binary);
}

}  // namespace parqproof::thrift
