#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "codec/variant/metadata.hpp"

namespace parqproof::variant {

/// The types of a value: the primitive types by their numbers, then object and array
/// (VariantEncoding.md#encoding-types). A short string has the type `string`.
enum class Kind : std::uint8_t {
  null = 0,
  boolean_true = 1,
  boolean_false = 2,
  int8 = 3,
  int16 = 4,
  int32 = 5,
  int64 = 6,
  real64 = 7,
  decimal4 = 8,
  decimal8 = 9,
  decimal16 = 10,
  date = 11,
  timestamp = 12,
  timestamp_ntz = 13,
  real32 = 14,
  binary = 15,
  string = 16,
  time = 17,
  timestamp_nanos = 18,
  timestamp_ntz_nanos = 19,
  uuid = 20,
  object,
  array,
};
inline constexpr std::uint8_t kLastPrimitive = static_cast<std::uint8_t>(Kind::uuid);

/// The name of a type in JSON with type tags: int8, decimal4, timestamp_ntz, object.
[[nodiscard]] std::string_view name_of(Kind kind) noexcept;

[[nodiscard]] constexpr bool is_container(Kind kind) noexcept { return kind >= Kind::object; }
[[nodiscard]] constexpr bool is_decimal(Kind kind) noexcept {
  return kind >= Kind::decimal4 && kind <= Kind::decimal16;
}
/// The most digits of a decimal of this kind; 0 for other kinds.
[[nodiscard]] constexpr std::int32_t digits_of(Kind kind) noexcept {
  constexpr std::int32_t kDigits4 = 9;
  constexpr std::int32_t kDigits8 = 18;
  constexpr std::int32_t kDigits16 = 38;
  return kind == Kind::decimal4    ? kDigits4
         : kind == Kind::decimal8  ? kDigits8
         : kind == Kind::decimal16 ? kDigits16
                                   : 0;
}

/// The first byte of a value.
inline constexpr unsigned kBasicMask = 3;
inline constexpr unsigned kHeaderShift = 2;
enum class Basic : std::uint8_t { primitive = 0, short_string = 1, object = 2, array = 3 };
[[nodiscard]] constexpr std::uint8_t first_byte(Basic basic, unsigned header) noexcept {
  return static_cast<std::uint8_t>(static_cast<unsigned>(basic) | header << kHeaderShift);
}
inline constexpr std::size_t kMaxShortString = 63;
inline constexpr std::size_t kLengthBytes = 4;  ///< of the length of a long string, or of binary
inline constexpr std::uint32_t kMaxSmallCount = 255;

/// One encoded value: its first byte and the places of its parts, counted from there. A container has an
/// id for each field of an object, offsets, and values.
struct Item {
  Kind kind = Kind::null;
  const std::uint8_t* bytes = nullptr;
  std::uint64_t size = 0;     ///< of the value; of a container, by its last offset
  std::size_t payload = 0;    ///< of the bytes after the type and the length; of a container, of the count
  std::uint32_t count = 0;    ///< of the elements of a container
  bool is_large = false;      ///< the count takes four bytes
  std::uint8_t id_width = 0;  ///< 0 for an array
  std::uint8_t offset_width = 0;
  std::size_t ids = 0;
  std::size_t offsets = 0;
  std::size_t values = 0;

  /// The data of a primitive.
  [[nodiscard]] std::span<const std::uint8_t> data() const noexcept {
    return {bytes + payload, static_cast<std::size_t>(size) - payload};
  }
  [[nodiscard]] std::uint32_t id(std::uint32_t i) const noexcept {
    return number_at(bytes + ids + std::size_t{i} * id_width, id_width);
  }
  /// `i` <= count
  [[nodiscard]] std::uint32_t offset(std::uint32_t i) const noexcept {
    return number_at(bytes + offsets + std::size_t{i} * offset_width, offset_width);
  }
  /// The reserved bits that are set in the first byte.
  [[nodiscard]] unsigned reserved_bits() const noexcept {
    return kind == Kind::object ? bytes[0] & 0x80U : kind == Kind::array ? bytes[0] & 0xE0U : 0U;
  }
};

/// The reason why a value cannot be read.
struct Unreadable {
  enum class Reason : std::uint8_t { none, unknown_type, truncated } reason = Reason::none;
  std::uint64_t needed = 0;  ///< bytes; or the number of the type
  bool is_exact = false;     ///< the value has so many bytes; otherwise at least so many
};

/// Reads the value at the first byte of `bytes`, which is not empty. All bytes of the value are inside; the
/// values of a container may be not.
[[nodiscard]] Unreadable read_item(std::span<const std::uint8_t> bytes, Item& item) noexcept;

}  // namespace parqproof::variant
