#include "codec/variant/item.hpp"

#include <array>

#include "codec/base/bits.hpp"

namespace parqproof::variant {
namespace {

using Reason = Unreadable::Reason;

constexpr std::int8_t kByLength = -1;  // the length precedes the bytes

/// The name of a primitive type, and the bytes of its data.
struct Primitive {
  std::string_view name;
  std::int8_t bytes;
};
constexpr std::array<Primitive, kLastPrimitive + 1> kPrimitives{
    {{"null", 0},           {"boolean", 0},       {"boolean", 0},         {"int8", 1},
     {"int16", 2},          {"int32", 4},         {"int64", 8},           {"double", 8},
     {"decimal4", 5},       {"decimal8", 9},      {"decimal16", 17},      {"date", 4},
     {"timestamp", 8},      {"timestamp_ntz", 8}, {"float", 4},           {"binary", kByLength},
     {"string", kByLength}, {"time", 8},          {"timestamp_nanos", 8}, {"timestamp_ntz_nanos", 8},
     {"uuid", 16}}};

Unreadable truncated(std::uint64_t needed) noexcept { return {Reason::truncated, needed, false}; }

/// Returns whether the value is complete.
Unreadable complete(std::uint64_t size, std::size_t left) noexcept {
  return size > left ? Unreadable{Reason::truncated, size, true} : Unreadable();
}

Unreadable read_primitive(std::span<const std::uint8_t> bytes, unsigned type, Item& item) noexcept {
  if (type > kLastPrimitive) return {Reason::unknown_type, type, true};
  item.kind = static_cast<Kind>(type);
  const std::int8_t length = kPrimitives[type].bytes;
  if (length != kByLength) {
    item.size = 1 + static_cast<std::uint64_t>(length);
  } else {
    item.payload += kLengthBytes;
    if (bytes.size() < item.payload) return truncated(item.payload);
    item.size = item.payload + std::uint64_t{load_le<std::uint32_t>(bytes.data() + 1)};
  }
  return complete(item.size, bytes.size());
}

Unreadable read_container(std::span<const std::uint8_t> bytes, unsigned header, Item& item) noexcept {
  const bool is_object = item.kind == Kind::object;
  item.offset_width = static_cast<std::uint8_t>((header & 3) + 1);
  item.id_width = is_object ? static_cast<std::uint8_t>((header >> 2 & 3) + 1) : 0;
  item.is_large = (header >> (is_object ? 4U : 2U) & 1U) != 0;
  const unsigned count_width = item.is_large ? 4 : 1;
  item.ids = item.payload + count_width;
  if (bytes.size() < item.ids) return truncated(item.ids);
  item.count = number_at(bytes.data() + item.payload, count_width);
  const std::uint64_t offsets = item.ids + std::uint64_t{item.count} * item.id_width;
  const std::uint64_t values = offsets + (std::uint64_t{item.count} + 1) * item.offset_width;
  if (values > bytes.size()) return truncated(values);
  item.offsets = static_cast<std::size_t>(offsets);
  item.values = static_cast<std::size_t>(values);
  item.size = values + item.offset(item.count);
  return complete(item.size, bytes.size());
}

}  // namespace

std::string_view name_of(Kind kind) noexcept {
  if (kind == Kind::object) return "object";
  return kind == Kind::array ? "array" : kPrimitives[static_cast<std::size_t>(kind)].name;
}

Unreadable read_item(std::span<const std::uint8_t> bytes, Item& item) noexcept {
  item = {};
  item.bytes = bytes.data();
  item.payload = 1;
  const unsigned header = static_cast<unsigned>(bytes[0]) >> kHeaderShift;
  switch (static_cast<Basic>(bytes[0] & kBasicMask)) {
    case Basic::primitive:
      return read_primitive(bytes, header, item);
    case Basic::short_string:
      item.kind = Kind::string;
      item.size = 1 + header;
      return complete(item.size, bytes.size());
    case Basic::object:
      item.kind = Kind::object;
      return read_container(bytes, header, item);
    case Basic::array:
      item.kind = Kind::array;
      return read_container(bytes, header, item);
  }
  return {};
}

}  // namespace parqproof::variant
