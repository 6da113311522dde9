#include "codec/thrift/walk.hpp"

#include "codec/thrift/varint.hpp"

namespace parqproof::thrift {
namespace {

class Walker {
 public:
  Walker(View bytes, Visitor& visitor, std::uint32_t max_depth)
      : cursor_(bytes, {}), visitor_(visitor), depth_left_(max_depth) {}

  WalkEnd structure(const StructType* type) {
    if (depth_left_ == 0) return WalkEnd::broken;
    --depth_left_;
    std::int32_t id = 0;
    bool good = true;  // the id fits 16 bits, and so does the id that it counts from
    for (;;) {
      Event event;
      event.header = cursor_.offset();
      const Result<std::uint8_t> header = cursor_.le<std::uint8_t>();
      if (!header) return WalkEnd::broken;
      if (*header == 0) break;
      if (!is_wire_type(*header & 0x0F)) return WalkEnd::broken;
      event.wire = static_cast<Wire>(*header & 0x0F);
      if (*header >> 4 != 0) {
        good = good && id + (*header >> 4) <= INT16_MAX;
        id = static_cast<std::int16_t>(id + (*header >> 4));
      } else {
        const WireVarint number = read_varint(cursor_);
        if (number.framing != WireVarint::Framing::complete) return WalkEnd::broken;
        good = fits_field_id(number);
        id = static_cast<std::int16_t>(unzigzag(static_cast<std::uint32_t>(number.value)));
      }
      event.id = id;
      event.known = type == nullptr || !good ? nullptr : type->find(id);
      if (event.known != nullptr && !event.known->takes(event.wire)) event.known = nullptr;
      const bool flag = event.wire == Wire::bool_true || event.wire == Wire::bool_false;
      if (flag) {
        event.at = event.header;
        event.end = cursor_.offset();
        event.integer = event.wire == Wire::bool_true ? 1 : 0;
        if (!visitor_.event(event)) return WalkEnd::stopped;
        continue;
      }
      const WalkEnd end = value(event, event.known == nullptr ? nullptr : event.known->type);
      if (end != WalkEnd::complete) return end;
    }
    ++depth_left_;
    Event event;
    event.what = Event::What::end_struct;
    event.at = cursor_.offset() - 1;
    event.header = event.at;
    return visitor_.event(event) ? WalkEnd::complete : WalkEnd::stopped;
  }

  std::uint64_t offset() const { return cursor_.offset(); }

 private:
  WalkEnd value(Event event, const StructType* type) {
    event.at = cursor_.offset();
    event.type = type;
    switch (event.wire) {
      case Wire::bool_true:
      case Wire::bool_false: {  // an element is one byte
        const Result<std::uint8_t> byte = cursor_.le<std::uint8_t>();
        if (!byte) return WalkEnd::broken;
        event.integer = *byte == 1 ? 1 : 0;
        break;
      }
      case Wire::i8: {
        const Result<std::int8_t> byte = cursor_.le<std::int8_t>();
        if (!byte) return WalkEnd::broken;
        event.integer = *byte;
        break;
      }
      case Wire::i16:
      case Wire::i32:
      case Wire::i64: {
        const WireVarint number = read_varint(cursor_);
        if (number.framing != WireVarint::Framing::complete) return WalkEnd::broken;
        event.integer = unzigzag(number.value);
        break;
      }
      case Wire::double_: {
        const Result<double> real = cursor_.le<double>();
        if (!real) return WalkEnd::broken;
        event.real = *real;
        break;
      }
      case Wire::binary: {
        std::uint64_t length = 0;
        if (!size(length, 1)) return WalkEnd::broken;
        const Result<View> bytes = cursor_.take(length);
        if (!bytes) return WalkEnd::broken;
        event.bytes = *bytes;
        break;
      }
      case Wire::uuid: {
        const Result<View> bytes = cursor_.take(16);
        if (!bytes) return WalkEnd::broken;
        event.bytes = *bytes;
        break;
      }
      case Wire::list:
      case Wire::set:
        return list(event);
      case Wire::map:
        return map(event);
      case Wire::struct_:
        if (!visitor_.event(event)) return WalkEnd::stopped;
        return structure(type);
      case Wire::stop:
        return WalkEnd::broken;
    }
    event.end = cursor_.offset();
    return visitor_.event(event) ? WalkEnd::complete : WalkEnd::stopped;
  }

  /// Reads the count of items of at least `min_bytes` bytes each, which must fit into the remaining bytes.
  bool size(std::uint64_t& out, std::uint64_t min_bytes) {
    const WireVarint number = read_varint(cursor_);
    out = number.value;
    return number.framing == WireVarint::Framing::complete && number.fits && claim(out, min_bytes);
  }

  bool claim(std::uint64_t count, std::uint64_t min_bytes) const {
    return count <= INT32_MAX && count <= cursor_.remaining() / min_bytes;
  }

  WalkEnd list(Event event) {
    const Result<std::uint8_t> header = cursor_.le<std::uint8_t>();
    if (!header) return WalkEnd::broken;
    const auto nibble = static_cast<std::uint8_t>(*header & 0x0F);
    const auto element = static_cast<Wire>(nibble);
    std::uint64_t count = *header >> 4;
    if (count == 15 && !size(count, 1)) return WalkEnd::broken;
    // The element type of an empty list has no meaning.
    if (count != 0 && (!is_wire_type(nibble) || !claim(count, min_encoded_size(element))))
      return WalkEnd::broken;
    event.integer = static_cast<std::int64_t>(count);
    return inner(event, count, element, element, false);
  }

  WalkEnd map(Event event) {
    std::uint64_t count = 0;
    if (!size(count, 1)) return WalkEnd::broken;
    Wire key = Wire::stop;
    Wire value = Wire::stop;
    if (count != 0) {
      const Result<std::uint8_t> types = cursor_.le<std::uint8_t>();
      if (!types || !is_wire_type(*types >> 4) || !is_wire_type(*types & 0x0F)) return WalkEnd::broken;
      key = static_cast<Wire>(*types >> 4);
      value = static_cast<Wire>(*types & 0x0F);
      if (!claim(count, min_encoded_size(key) + min_encoded_size(value))) return WalkEnd::broken;
    }
    event.integer = static_cast<std::int64_t>(count);
    return inner(event, count, key, value, true);
  }

  WalkEnd inner(const Event& container, std::uint64_t count, Wire first, Wire second, bool pairs) {
    if (depth_left_ == 0) return WalkEnd::broken;
    --depth_left_;
    if (!visitor_.event(container)) return WalkEnd::stopped;
    for (std::uint64_t i = 0; i < count; ++i) {
      for (int part = 0; part < (pairs ? 2 : 1); ++part) {
        Event event;
        event.what = !pairs ? Event::What::element : part == 0 ? Event::What::key : Event::What::value;
        event.wire = part == 0 ? first : second;
        event.index = i;
        event.known = pairs ? nullptr : container.known;
        event.header = cursor_.offset();
        const WalkEnd end = value(event, pairs ? nullptr : container.type);
        if (end != WalkEnd::complete) return end;
      }
    }
    ++depth_left_;
    Event event;
    event.what = Event::What::end_list;
    event.at = cursor_.offset();
    event.header = event.at;
    return visitor_.event(event) ? WalkEnd::complete : WalkEnd::stopped;
  }

  Cursor cursor_;
  Visitor& visitor_;
  std::uint32_t depth_left_;
};

}  // namespace

WalkEnd walk(View bytes, const StructType* type, Visitor& visitor, std::uint64_t& end,
             std::uint32_t max_depth) {
  Walker walker(bytes, visitor, max_depth);
  const WalkEnd how = walker.structure(type);
  end = walker.offset();
  return how;
}

}  // namespace parqproof::thrift
