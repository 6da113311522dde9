#include "codec/thrift/fast_fields.hpp"

#include <bit>
#include <cstring>
#include <new>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"
#include "codec/thrift/compact.hpp"
#include "codec/thrift/reader_detail.hpp"

namespace parqproof::thrift {
namespace {

using At = const std::uint8_t*;

/// Constructs a value of several parts in `slot`, which is faster than copying it there.
template <typename T, typename... Parts>
void make(void* slot, const Parts&... parts) noexcept {
  ::new (slot) T{parts...};
}

/// Reads a varint in its shortest form, of at most `kBytes` bytes. Returns null for any other form. Optimized
/// for one byte.
template <unsigned kBytes>
At short_varint(At at, At end, std::uint64_t& value) noexcept {
  if (at == end) return nullptr;
  if (*at < 0x80) [[likely]] {
    value = *at;
    return at + 1;
  }
  value = *at & 0x7FU;
  for (unsigned i = 1; i < kBytes && at + i != end; ++i) {
    const std::uint64_t bits = at[i] & 0x7FU;
    value |= bits << (7 * i);
    if (at[i] < 0x80) return bits != 0 && (7 * i < 63 || bits == 1) ? at + i + 1 : nullptr;
  }
  return nullptr;
}

/// Min header of a field in the short form, which has the distance from the previous id in its upper bits.
constexpr std::uint8_t kShortHeader = 0x10;

constexpr std::uint64_t kTopBits = 0x8080'8080'8080'8080;

/// Reads varints of up to ten bytes, such as sizes and offsets. No branch depends on the length of more than
/// one byte, which branch prediction cannot guess.
[[gnu::always_inline]] inline At long_varint(At at, At end, std::uint64_t& value) noexcept {
  if (at != end && *at < 0x80) {
    value = *at;
    return at + 1;
  }
  const bool roomy = end - at >= 8;
  const std::uint64_t word = roomy ? load_le<std::uint64_t>(at) : kTopBits;
  const std::uint64_t stops = ~word & kTopBits;
  if (stops == 0) [[unlikely]]
    return short_varint<10>(at, end, value);
  const auto last = static_cast<unsigned>(std::countr_zero(stops));  // top bit of the last byte of the varint
  std::uint64_t bits = word & low_bits(last) & ~kTopBits;
  if (bits >> (last - 7) == 0) [[unlikely]]
    return nullptr;
  bits = (bits & 0x007F'007F'007F'007F) | (bits & 0x7F00'7F00'7F00'7F00) >> 1;
  bits = (bits & 0x0000'3FFF'0000'3FFF) | (bits & 0x3FFF'0000'3FFF'0000) >> 2;
  value = (bits & 0x0FFF'FFFF) | (bits >> 32 << 28);
  return at + (last + 1) / 8;
}

/// Returns the address after any varint; null if it does not end.
At after_varint(At at, At end) noexcept {
  if (end - at >= 8) {
    const std::uint64_t stops = ~load_le<std::uint64_t>(at) & kTopBits;
    if (stops != 0) [[likely]]
      return at + (static_cast<unsigned>(std::countr_zero(stops)) + 1) / 8;
  }
  const At last = end - at > 10 ? at + 10 : end;
  while (at != last && *at >= 0x80) ++at;
  return at == last ? nullptr : at + 1;
}

At after_struct(At at, At end, std::uint32_t depth) noexcept;

At after_value(At at, At end, Wire wire, bool element, std::uint32_t depth) noexcept {
  std::uint64_t size = 0;
  switch (wire) {
    case Wire::bool_true:
    case Wire::bool_false:
      return !element ? at : at == end ? nullptr : at + 1;
    case Wire::i8:
      return at == end ? nullptr : at + 1;
    case Wire::i16:
    case Wire::i32:
    case Wire::i64:
      return after_varint(at, end);
    case Wire::double_:
      return end - at < 8 ? nullptr : at + 8;
    case Wire::binary:
      at = short_varint<5>(at, end, size);
      return at == nullptr || size > static_cast<std::uint64_t>(end - at) ? nullptr : at + size;
    case Wire::list:
    case Wire::set: {
      if (at == end || depth == 0) return nullptr;
      const std::uint8_t header = *at++;
      size = header >> 4;
      if (size == 15) at = short_varint<5>(at, end, size);
      if (at == nullptr) return nullptr;
      const auto inner = static_cast<std::uint8_t>(header & 0x0F);
      if (size != 0 && !is_wire_type(inner)) return nullptr;
      if (size > static_cast<std::uint64_t>(end - at)) return nullptr;
      for (; size != 0 && at != nullptr; --size)
        at = after_value(at, end, static_cast<Wire>(inner), true, depth - 1);
      return at;
    }
    case Wire::struct_:
      return after_struct(at, end, depth);
    default:
      return nullptr;
  }
}

At after_struct(At at, At end, std::uint32_t depth) noexcept {
  if (depth == 0) return nullptr;
  while (at != nullptr && at != end) {
    const std::uint8_t header = *at++;
    if (header == 0) return at;
    const auto nibble = static_cast<std::uint8_t>(header & 0x0F);
    if (!is_wire_type(nibble)) return nullptr;
    if (header >> 4 == 0) at = after_varint(at, end);
    if (at == nullptr) return nullptr;
    at = after_value(at, end, static_cast<Wire>(nibble), false, depth - 1);
  }
  return nullptr;
}

bool known_value(const Field& field, std::int64_t number) noexcept {
  if (field.enumeration == nullptr || field.judged_elsewhere) return true;
  const std::span<const EnumValue> values = field.enumeration->values;
  const auto index = static_cast<std::size_t>(number);  // index into a table without gaps
  if (index < values.size() && values[index].value == number) return true;
  return !field.enumeration->name_of(number).empty();
}

/// Returns true if a value with this type nibble is of the field.
[[gnu::always_inline]] inline bool takes(const FieldRow& row, Wire wire) noexcept {
  return wire == row.wire || (wire == Wire::bool_false && row.kind == Kind::boolean);
}

/// Stores a value in a slot that is not null.
template <typename T>
void put(std::byte* slot, T value) noexcept {
  std::memcpy(slot, &value, sizeof value);
}

}  // namespace

std::size_t skippable_length(std::span<const std::uint8_t> bytes, std::uint32_t depth) noexcept {
  const At end = after_struct(bytes.data(), bytes.data() + bytes.size(), depth);
  return end == nullptr ? 0 : static_cast<std::size_t>(end - bytes.data());
}

std::size_t FastReader::fields(const StructType& type, std::byte* out, std::uint32_t depth,
                               Fields& state) const noexcept {
  At done = front_;
  while (done != end_ && !state.stopped) {
    if (*done == 0) {
      ++done;
      state.stopped = true;
      break;
    }
    const std::uint32_t id = static_cast<std::uint32_t>(state.previous) + (*done >> 4);
    if (*done < kShortHeader || id >= kFieldIds) break;
    const FieldRow& row = type.rows[id];
    const auto wire = static_cast<Wire>(*done & 0x0F);
    if (!takes(row, wire) || ((state.present | state.faulty) & row.bit) != 0) break;
    const At at = out != nullptr ? value<true>(done + 1, row, wire, out + row.offset, depth)
                                 : value<false>(done + 1, row, wire, nullptr, depth);
    if (at == nullptr) break;
    done = at;
    state.previous = static_cast<std::int32_t>(id);
    state.present |= row.bit;
  }
  return static_cast<std::size_t>(done - front_);
}

std::size_t FastReader::structure(const StructType& type, std::byte* out,
                                  std::uint32_t depth) const noexcept {
  const At end =
      out != nullptr ? structure<true>(front_, type, out, depth) : structure<false>(front_, type, out, depth);
  return end == nullptr ? 0 : static_cast<std::size_t>(end - front_);
}

template <bool kKept>
[[gnu::always_inline]] inline At FastReader::value(At at, const FieldRow& row, Wire wire, std::byte* slot,
                                                   std::uint32_t depth) const noexcept {
  std::uint64_t number = 0;
  switch (row.kind) {
    case Kind::boolean:
      if constexpr (kKept) put(slot, wire == Wire::bool_true);
      return at;
    case Kind::i16:
      at = short_varint<3>(at, end_, number);
      if (at == nullptr || number > UINT16_MAX) return nullptr;
      if constexpr (kKept) put(slot, static_cast<std::int16_t>(unzigzag(number)));
      return at;
    case Kind::i32:
    case Kind::enumeration:
      at = short_varint<5>(at, end_, number);
      if (at == nullptr || number > UINT32_MAX || !known_value(*row.field, unzigzag(number))) return nullptr;
      if constexpr (kKept) put(slot, static_cast<std::int32_t>(unzigzag(number)));
      return at;
    case Kind::i64:
      at = long_varint(at, end_, number);
      if (at == nullptr) return nullptr;
      if constexpr (kKept) put(slot, unzigzag(number));
      return at;
    case Kind::binary:
      return string<kKept>(at, false, slot);
    case Kind::string:
      return string<kKept>(at, true, slot);
    case Kind::structure:
      return structure<kKept>(at, *row.field->type, slot, depth);
    case Kind::list:
      return list<kKept>(at, *row.field, slot, depth);
    default:
      return nullptr;
  }
}

template <bool kKept>
inline At FastReader::string(At at, bool text, std::byte* slot) const noexcept {
  std::uint64_t size = 0;
  at = short_varint<5>(at, end_, size);
  if (at == nullptr || size > static_cast<std::uint64_t>(end_ - at)) return nullptr;
  const std::span<const std::uint8_t> bytes(at, static_cast<std::size_t>(size));
  if (text && utf8_error(bytes) != bytes.size()) return nullptr;
  if constexpr (kKept) make<View>(slot, bytes, offset(at), space_);
  return at + size;
}

template <bool kKept>
At FastReader::structure(At at, const StructType& type, std::byte* out, std::uint32_t depth) const noexcept {
  if (depth >= nesting_) return nullptr;
  const At begin = at;
  const FieldRow* row = type.rows.data();  // that of the last field
  std::uint32_t present = 0;
  for (;;) {
    if (at == end_) return nullptr;
    const std::uint8_t header = *at++;
    if (header < kShortHeader) {
      if (header != 0) return nullptr;
      break;
    }
    row += header >> 4;
    const auto wire = static_cast<Wire>(header & 0x0F);
    if (!takes(*row, wire)) return nullptr;
    present |= row->bit;  // ids ascend, so none occurs twice
    at = value<kKept>(at, *row, wire, kKept ? out + row->offset : nullptr, depth + 1);
    if (at == nullptr) return nullptr;
  }
  if ((present & type.required) != type.required) return nullptr;
  if (type.is_union && (present == 0 || (present & (present - 1)) != 0))
    return nullptr;  // a union has exactly one member
  if constexpr (kKept) make<Presences>(out, present, 0U, offset(begin), offset(at));
  return at;
}

At FastReader::elements(At at, const Field& field, std::uint32_t count, std::uint32_t depth) const noexcept {
  std::uint64_t number = 0;
  switch (field.element) {
    case Kind::structure:
      for (; count != 0 && at != nullptr; --count) at = structure<false>(at, *field.type, nullptr, depth);
      return at;
    case Kind::binary:
    case Kind::string:
      for (; count != 0 && at != nullptr; --count)
        at = string<false>(at, field.element == Kind::string, nullptr);
      return at;
    case Kind::i64:
      for (; count != 0 && at != nullptr; --count) at = short_varint<10>(at, end_, number);
      return at;
    case Kind::i32:
    case Kind::enumeration:
      for (; count != 0; --count) {
        at = short_varint<5>(at, end_, number);
        if (at == nullptr || number > UINT32_MAX || !known_value(field, unzigzag(number))) return nullptr;
      }
      return at;
    default:
      return nullptr;
  }
}

template <bool kKept>
At FastReader::list(At at, const Field& field, std::byte* slot, std::uint32_t depth) const noexcept {
  if (depth >= nesting_ || at == end_) return nullptr;
  const At front = at;
  const std::uint8_t header = *at++;
  const At begin = at;
  const std::uint32_t count = header >> 4;
  const auto element = static_cast<Wire>(header & 0x0F);
  if (count == 15 || element != wire_of(field.element)) return nullptr;
  PassedLists::Passed* const passed = field.element == Kind::structure     ? &passed_->structs
                                      : field.element == Kind::enumeration ? &passed_->enums
                                                                           : nullptr;
  if (passed != nullptr && passed->field == &field &&
      static_cast<std::size_t>(end_ - front) >= passed->bytes.size() &&
      std::memcmp(front, passed->bytes.data(), passed->bytes.size()) == 0) {
    at = front + passed->bytes.size();
  } else {
    if (element == Wire::struct_ && handler_ != nullptr && handler_->takes(field)) return nullptr;
    at = elements(begin, field, count, depth + 1);
    if (at == nullptr) return nullptr;
    if (passed != nullptr) *passed = {&field, {front, at}};
  }
  if constexpr (kKept) make<List>(slot, View{{begin, at}, offset(begin), space_}, count, element);
  return at;
}

}  // namespace parqproof::thrift
