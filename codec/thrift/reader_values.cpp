#include <algorithm>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"
#include "codec/thrift/reader_detail.hpp"

namespace parqproof::thrift {
namespace {

/// Maps the type of a boolean element, which takes one byte unlike a boolean field.
constexpr Wire as_element(Wire wire) noexcept {
  return wire == Wire::bool_true || wire == Wire::bool_false ? Wire::i8 : wire;
}

}  // namespace

bool Reader::endless(std::string_view expected) {
  fault(Rule::thrift_varint_overflow, cursor_.offset(), 10, "more than 10 bytes", std::string(expected));
  return false;
}

bool Reader::integer(unsigned bits, std::int64_t& out, bool& good) {
  const std::uint64_t at = cursor_.offset();
  const std::uint32_t max_bytes = (bits + 6) / 7;
  const auto expected = [&] {
    return "an i" + std::to_string(bits) + " of at most " + counted(max_bytes, "byte");
  };
  const WireVarint number = read_varint(cursor_);
  if (number.framing == WireVarint::Framing::cut) return cut("the rest of a number");
  if (number.framing == WireVarint::Framing::endless) return endless(expected());
  if (!number.fits || number.length > max_bytes || number.value > low_bits(bits)) {
    fault(Rule::thrift_varint_overflow, at, number.length, text_of(number), expected());
    good = false;
    return true;
  }
  out = unzigzag(number.value);
  if (!number.canonical) fault(Rule::thrift_varint_canonical, at, number.length, out);
  return true;
}

bool Reader::size(Size& out, bool& good) {
  constexpr std::string_view kExpected = "a size of at most 5 bytes";
  out.at = cursor_.offset();
  const WireVarint number = read_varint(cursor_);
  if (number.framing == WireVarint::Framing::cut) return cut("the rest of a size");
  if (number.framing == WireVarint::Framing::endless) return endless(kExpected);
  out.length = number.length;
  out.value = number.fits ? number.value : UINT64_MAX;
  if (out.value > INT32_MAX) return true;  // the caller rejects it
  if (number.length > 5) {
    fault(Rule::thrift_varint_overflow, out.at, number.length, count_of_bytes(number.length), kExpected);
    good = false;
  } else if (!number.canonical) {
    fault(Rule::thrift_varint_canonical, out.at, number.length, number.value);
  }
  return true;
}

bool Reader::claims_too_much(Rule rule, std::uint64_t at, std::uint64_t count, std::uint64_t min_bytes) {
  const std::uint64_t most = std::min<std::uint64_t>(cursor_.remaining() / min_bytes, INT32_MAX);
  if (count <= most) return false;
  fault(rule, at, cursor_.offset() - at, count, at_most(most));
  return true;
}

bool Reader::binary(const Field* field, View& out, bool& good) {
  Size length;
  if (!size(length, good) || claims_too_much(Rule::thrift_binary_length, length.at, length.value, 1))
    return false;
  out = *cursor_.take(length.value);
  if (field != nullptr && (field->kind == Kind::list ? field->element : field->kind) == Kind::string) {
    const std::size_t bad = utf8_error(out.bytes);
    if (bad != out.size()) {
      fault(Rule::thrift_string_utf8, out.base + bad, 1, FindingValue::Bytes{{out.bytes[bad]}, 1}, "UTF-8");
    }
  }
  return true;
}

bool Reader::value(const Field& field, Wire wire, void* slot, bool& good) {
  const std::uint64_t at = cursor_.offset();
  std::int64_t number = 0;
  switch (field.kind) {
    case Kind::boolean:
      store(slot, wire == Wire::bool_true);
      return true;
    case Kind::i8: {
      const Result<std::int8_t> byte = cursor_.le<std::int8_t>();
      if (!byte) return cut("1 byte");
      store(slot, *byte);
      return true;
    }
    case Kind::i16:
      if (!integer(16, number, good)) return false;
      store(slot, static_cast<std::int16_t>(number));
      return true;
    case Kind::i32:
    case Kind::enumeration:
      if (!integer(32, number, good)) return false;
      store(slot, static_cast<std::int32_t>(number));
      if (good && field.enumeration != nullptr && !field.judged_elsewhere &&
          field.enumeration->name_of(number).empty()) {
        fault(Rule::thrift_unknown_enum_value, at, cursor_.offset() - at, number, field.enumeration->name);
      }
      return true;
    case Kind::i64:
      if (!integer(64, number, good)) return false;
      store(slot, number);
      return true;
    case Kind::double_: {
      const Result<double> real = cursor_.le<double>();
      if (!real) return cut("8 bytes");
      store(slot, *real);
      return true;
    }
    case Kind::binary:
    case Kind::string: {
      View bytes;
      if (!binary(&field, bytes, good)) return false;
      store(slot, bytes);
      return true;
    }
    case Kind::structure:
      return structure(*field.type, slot);
    case Kind::list:
      return list(field, slot, good);
  }
  return false;
}

bool Reader::list_header(std::uint32_t& count, Wire& element, std::uint64_t& at, bool& good) {
  at = cursor_.offset();
  const Result<std::uint8_t> header = cursor_.le<std::uint8_t>();
  if (!header) return cut("a list");
  Size claimed{at + 1, static_cast<std::uint64_t>(*header >> 4), 0};
  if (claimed.value == 15 && !size(claimed, good)) return false;
  const auto nibble = static_cast<std::uint8_t>(*header & 0x0F);
  // The element type of an empty list has no meaning, and some writers write 0.
  if (!is_wire_type(nibble) && claimed.value != 0) {
    fault(Rule::thrift_compact_protocol, at, 1, "type " + std::to_string(nibble), between(1, 13));
    return false;
  }
  element = static_cast<Wire>(nibble);
  if (claims_too_much(Rule::thrift_list_size, at, claimed.value, min_encoded_size(element))) return false;
  count = static_cast<std::uint32_t>(claimed.value);
  return true;
}

bool Reader::booleans(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t at = cursor_.offset();
    const Result<std::uint8_t> byte = cursor_.le<std::uint8_t>();
    if (!byte) return cut("1 byte");
    if (*byte == 1 || *byte == 2) continue;
    path_.enter_element(i);
    fault(*byte == 0 ? Rule::thrift_bool_list_zero : Rule::thrift_bool_list_value, at, 1, *byte,
          *byte == 0 ? FindingValue(2) : "1 or 2");
    path_.leave();
  }
  return true;
}

bool Reader::list(const Field& field, void* slot, bool& good) {
  List out;
  std::uint64_t at = 0;
  if (!list_header(out.count, out.element, at, good)) return false;
  out.bytes = cursor_.rest();
  if (out.count != 0 && !wire_matches(out.element, field.element)) {
    fault(Rule::thrift_list_element_type, at, 1, wire_name(out.element), wire_name(wire_of(field.element)));
    good = false;
    return skip_elements(out, at);
  }
  if (!enter(at)) return false;
  const bool framed = field.element == Kind::boolean ? booleans(out.count) : each(field, out, good);
  leave();
  if (framed) out.bytes = out.bytes.part(0, static_cast<std::size_t>(cursor_.offset() - out.bytes.base));
  store(slot, out);
  return framed;
}

bool Reader::each(const Field& field, const List& list, bool& good) {
  const bool handled = handler_ != nullptr && handler_->takes(field);
  Field element = field;
  element.kind = field.element;
  element.wire = wire_of(field.element);
  bool framed = true;
  if (handled) handler_->begin(*this, field, list.count);
  for (std::uint32_t i = 0; i < list.count && framed; ++i) {
    path_.enter_element(i);
    framed = handled ? handler_->element(*this, field, i) : value(element, list.element, nullptr, good);
    path_.leave();
  }
  return framed;
}

bool Reader::skip_elements(const List& list, std::uint64_t at) {
  if (!enter(at)) return false;
  bool framed = true;
  for (std::uint32_t i = 0; i < list.count && framed; ++i) framed = skip(as_element(list.element));
  leave();
  return framed;
}

bool Reader::skip_map() {
  bool good = true;
  Size count;
  if (!size(count, good)) return false;
  if (count.value == 0) {  // an empty map counts as a level of nesting, like an empty list
    if (!enter(count.at)) return false;
    leave();
    return true;
  }
  const std::uint64_t types_at = cursor_.offset();
  const Result<std::uint8_t> types = cursor_.le<std::uint8_t>();
  if (!types) return cut("the types of a map");
  for (const int nibble : {*types >> 4, *types & 0x0F}) {
    if (is_wire_type(static_cast<std::uint8_t>(nibble))) continue;
    fault(Rule::thrift_compact_protocol, types_at, 1, "type " + std::to_string(nibble), between(1, 13));
    return false;
  }
  const auto key = static_cast<Wire>(*types >> 4);
  const auto value = static_cast<Wire>(*types & 0x0F);
  const std::uint64_t min_bytes = min_encoded_size(key) + min_encoded_size(value);
  if (claims_too_much(Rule::thrift_list_size, count.at, count.value, min_bytes) || !enter(count.at))
    return false;
  bool framed = true;
  for (std::uint64_t i = 0; i < count.value && framed; ++i)
    framed = skip(as_element(key)) && skip(as_element(value));
  leave();
  return framed;
}

bool Reader::skip(Wire wire) {
  bool good = true;
  std::int64_t number = 0;
  switch (wire) {
    case Wire::bool_true:
    case Wire::bool_false:
      return true;
    case Wire::i8:
      return cursor_.take(1) ? true : cut("1 byte");
    case Wire::i16:
      return integer(16, number, good);
    case Wire::i32:
      return integer(32, number, good);
    case Wire::i64:
      return integer(64, number, good);
    case Wire::double_:
      return cursor_.take(8) ? true : cut("8 bytes");
    case Wire::binary: {
      View bytes;
      return binary(nullptr, bytes, good);
    }
    case Wire::list:
    case Wire::set: {
      List list;
      std::uint64_t at = 0;
      return list_header(list.count, list.element, at, good) && skip_elements(list, at);
    }
    case Wire::map:
      return skip_map();
    case Wire::uuid:
      return cursor_.take(16) ? true : cut("16 bytes");
    case Wire::struct_:
      return structure(kUnknownStruct, nullptr);
    case Wire::stop:
      break;
  }
  return false;
}

}  // namespace parqproof::thrift
