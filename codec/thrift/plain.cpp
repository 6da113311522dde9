#include "codec/thrift/plain.hpp"

#include <bit>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"
#include "codec/thrift/compact.hpp"
#include "codec/thrift/reader_detail.hpp"

namespace parqproof::thrift {
namespace {

using At = const std::uint8_t*;

/// A varint in its shortest form, of at most `kBytes`; null where it is none.
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

/// Behind any varint; null where it does not end.
At behind_varint(At at, At end) noexcept {
  const At last = end - at > 10 ? at + 10 : end;
  while (at != last && *at >= 0x80) ++at;
  return at == last ? nullptr : at + 1;
}

At behind_struct(At at, At end, std::uint32_t depth) noexcept;

At behind_value(At at, At end, Wire wire, bool element, std::uint32_t depth) noexcept {
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
      return behind_varint(at, end);
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
        at = behind_value(at, end, static_cast<Wire>(inner), true, depth - 1);
      return at;
    }
    case Wire::struct_:
      return behind_struct(at, end, depth);
    default:
      return nullptr;
  }
}

At behind_struct(At at, At end, std::uint32_t depth) noexcept {
  if (depth == 0) return nullptr;
  while (at != nullptr && at != end) {
    const std::uint8_t header = *at++;
    if (header == 0) return at;
    const auto nibble = static_cast<std::uint8_t>(header & 0x0F);
    if (!is_wire_type(nibble)) return nullptr;
    if (header >> 4 == 0) at = behind_varint(at, end);
    if (at == nullptr) return nullptr;
    at = behind_value(at, end, static_cast<Wire>(nibble), false, depth - 1);
  }
  return nullptr;
}

bool known_value(const Field& field, std::int64_t number) noexcept {
  if (field.enumeration == nullptr || field.judged_elsewhere) return true;
  const std::span<const EnumValue> values = field.enumeration->values;
  const auto index = static_cast<std::size_t>(number);  // where it stands if none is left out
  if (index < values.size() && values[index].value == number) return true;
  return !field.enumeration->name_of(number).empty();
}

}  // namespace

std::size_t plain_struct_length(std::span<const std::uint8_t> bytes, std::uint32_t depth) noexcept {
  const At end = behind_struct(bytes.data(), bytes.data() + bytes.size(), depth);
  return end == nullptr ? 0 : static_cast<std::size_t>(end - bytes.data());
}

std::size_t PlainReader::fields(const StructType& type, std::byte* out, std::uint32_t depth,
                                Fields& state) noexcept {
  const At begin = at_;
  At done = at_;
  while (!state.stopped && field(type, out, depth, state)) done = at_;
  at_ = done;
  return static_cast<std::size_t>(done - begin);
}

bool PlainReader::field(const StructType& type, std::byte* out, std::uint32_t depth, Fields& state) noexcept {
  if (at_ == end_) return false;
  const std::uint8_t header = *at_++;
  if (header == 0) {
    state.stopped = true;
    return true;
  }
  const std::int32_t id = state.previous + (header >> 4);
  if (header >> 4 == 0 || id < 1 || static_cast<std::size_t>(id) > type.fields.size()) return false;
  const Field& known = type.fields[static_cast<std::size_t>(id) - 1];
  const auto wire = static_cast<Wire>(header & 0x0F);
  if (known.id != id || !wire_matches(wire, known.kind) || state.seen.mentions(id)) return false;
  if (!value(known, wire, out == nullptr ? nullptr : out + known.offset, depth)) return false;
  state.previous = id;
  state.seen.present |= 1U << id;
  return true;
}

bool PlainReader::value(const Field& field, Wire wire, std::byte* slot, std::uint32_t depth) noexcept {
  std::uint64_t number = 0;
  switch (field.kind) {
    case Kind::boolean:
      store(slot, wire == Wire::bool_true);
      return true;
    case Kind::i16:
      at_ = short_varint<3>(at_, end_, number);
      if (at_ == nullptr || number > UINT16_MAX) return false;
      store(slot, static_cast<std::int16_t>(unzigzag(number)));
      return true;
    case Kind::i32:
    case Kind::enumeration:
      at_ = short_varint<5>(at_, end_, number);
      if (at_ == nullptr || number > UINT32_MAX || !known_value(field, unzigzag(number))) return false;
      store(slot, static_cast<std::int32_t>(unzigzag(number)));
      return true;
    case Kind::i64:
      at_ = short_varint<10>(at_, end_, number);
      if (at_ == nullptr) return false;
      store(slot, unzigzag(number));
      return true;
    case Kind::binary:
    case Kind::string: {
      View bytes;
      if (!string(field.kind == Kind::string, bytes)) return false;
      store(slot, bytes);
      return true;
    }
    case Kind::structure:
      return structure(*field.type, slot, depth);
    case Kind::list:
      return list(field, slot, depth);
    default:
      return false;
  }
}

bool PlainReader::string(bool text, View& out) noexcept {
  std::uint64_t size = 0;
  at_ = short_varint<5>(at_, end_, size);
  if (at_ == nullptr || size > static_cast<std::uint64_t>(end_ - at_)) return false;
  out = {{at_, static_cast<std::size_t>(size)}, offset(), space_};
  at_ += size;
  return !text || utf8_error(out.bytes) == out.size();
}

bool PlainReader::structure(const StructType& type, std::byte* out, std::uint32_t depth) noexcept {
  if (depth >= nesting_) return false;
  Fields inner;
  inner.seen.offset = offset();
  while (!inner.stopped) {
    if (!field(type, out, depth + 1, inner)) return false;
  }
  inner.seen.end = offset();
  if ((inner.seen.present & type.required) != type.required) return false;
  if (type.is_union && !std::has_single_bit(inner.seen.present)) return false;
  store(out, inner.seen);
  return true;
}

bool PlainReader::list(const Field& field, std::byte* slot, std::uint32_t depth) noexcept {
  const bool simple = field.element == Kind::enumeration || field.element == Kind::i32 ||
                      field.element == Kind::i64 || field.element == Kind::string ||
                      field.element == Kind::binary || field.element == Kind::structure;
  if (!simple || depth >= nesting_ || at_ == end_ || (handler_ != nullptr && handler_->takes(field)))
    return false;
  const std::uint8_t header = *at_++;
  List out;
  out.count = header >> 4;
  out.element = static_cast<Wire>(header & 0x0F);
  if (out.count == 15 || out.element != wire_of(field.element)) return false;
  out.bytes.base = offset();
  out.bytes.space = space_;
  const At begin = at_;
  for (std::uint32_t i = 0; i < out.count; ++i) {
    std::uint64_t number = 0;
    View bytes;
    if (out.element == Wire::struct_) {
      if (!structure(*field.type, nullptr, depth + 1)) return false;
    } else if (out.element == Wire::binary) {
      if (!string(field.element == Kind::string, bytes)) return false;
    } else {
      at_ =
          out.element == Wire::i32 ? short_varint<5>(at_, end_, number) : short_varint<10>(at_, end_, number);
      if (at_ == nullptr || (out.element == Wire::i32 && number > UINT32_MAX) ||
          !known_value(field, unzigzag(number))) {
        return false;
      }
    }
  }
  out.bytes.bytes = {begin, at_};
  store(slot, out);
  return true;
}

}  // namespace parqproof::thrift
