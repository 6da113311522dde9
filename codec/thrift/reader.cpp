#include "codec/thrift/reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "codec/base/utf8.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof::thrift {
namespace {

constexpr Vocabulary kWords{Rule::thrift_stop_byte, Rule::thrift_compact_protocol, Rule::thrift_varint_overflow};

/// The printed form of the binary protocol extension decodes as this id; it is no stray field.
constexpr std::int32_t kPrintedExtensionId = -16384;
constexpr std::int32_t kExtensionId = 32767;

/// Stands for every struct that no table knows; its own fields are not worth a finding each.
constexpr StructType kUnknownStruct{"unknown", {}};

template <typename T>
void store(void* slot, T value) noexcept {
  if (slot != nullptr) std::memcpy(slot, &value, sizeof value);
}

std::string wire_name(Wire wire) {
  constexpr std::string_view names[] = {"stop",   "bool", "bool", "i8",  "i16", "i32",   "i64",
                                        "double", "binary", "list", "set", "map", "struct"};
  const auto index = static_cast<std::size_t>(wire);
  return index < std::size(names) ? std::string(names[index]) : "type " + std::to_string(index);
}

}  // namespace

Reader::Reader(View bytes, const Judged& judged, const Limits& limits) noexcept
    : cursor_(bytes, kWords), judged_(judged), limits_(&limits) {}

std::uint32_t Reader::rebase() noexcept { return std::exchange(path_base_, path_size_); }

std::string Reader::path() const {
  std::string text(judged_.prefix);
  for (std::uint32_t i = path_base_; i < path_size_; ++i) {
    const Step& step = path_[i];
    if (step.index >= 0) {
      text += "[" + std::to_string(step.index) + "]";
      continue;
    }
    if (!text.empty() && text.back() != '.') text += '.';
    text += step.field != nullptr ? std::string(step.field->name) : std::to_string(step.unknown_id);
  }
  return text;
}

void Reader::fault(Rule rule, std::uint64_t offset, std::uint64_t length, std::string found, std::string expected) {
  ++faults_;
  if (judged_.findings == nullptr || !judged_.findings->wants(rule)) return;
  Finding finding;
  finding.rule = rule;
  finding.place = judged_.place;
  finding.offset = offset;
  finding.length = length;
  finding.field = path();
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  judged_.findings->add(std::move(finding));
}

bool Reader::lost(const Error& error) {
  fault(error.rule, error.offset, error.length, std::to_string(error.found), std::to_string(error.expected));
  return false;
}

bool Reader::enter(std::uint64_t at) {
  if (depth_ >= limits_->nesting || path_size_ + 2 >= kMaxDepth) {
    fault(Rule::thrift_nesting_depth, at, 1, std::to_string(depth_ + 1), std::to_string(limits_->nesting));
    return false;
  }
  ++depth_;
  return true;
}

bool Reader::structure(const StructType& type, void* out) {
  Presences seen;
  seen.offset = cursor_.offset();
  if (!enter(seen.offset)) return false;
  std::int32_t previous = 0;
  bool stopped = false;
  bool whole = true;
  while (!stopped && (whole = field(type, out, seen, previous, stopped))) {
  }
  leave();
  seen.end = cursor_.offset();
  if (whole) check_presence(type, seen);
  if (out != nullptr) store(out, seen);
  return whole;
}

bool Reader::field(const StructType& type, void* out, Presences& seen, std::int32_t& previous, bool& stopped) {
  const std::uint64_t at = cursor_.offset();
  const Result<std::uint8_t> header = cursor_.le<std::uint8_t>();
  if (!header) return lost(header.error());
  if (*header == 0) {
    stopped = true;
    return true;
  }
  const auto nibble = static_cast<std::uint8_t>(*header & 0x0F);
  const std::int32_t delta = *header >> 4;
  if (!is_wire_type(nibble)) {
    fault(Rule::thrift_compact_protocol, at, 1, "type " + std::to_string(nibble), "1 to 12");
    return false;
  }
  const auto wire = static_cast<Wire>(nibble);
  std::int32_t id = previous + delta;
  if (delta == 0) {
    const Result<Varint> number = cursor_.uleb<std::uint32_t>(10);
    if (!number) {
      Error error = number.error();
      if (error.rule == Rule::thrift_stop_byte) error.offset = at;
      return lost(error);
    }
    const std::int32_t wide = unzigzag(static_cast<std::uint32_t>(number->value));
    id = static_cast<std::int16_t>(wide);
    if (id != wide || number->length > 3) {
      fault(Rule::thrift_varint_overflow, at + 1, number->length, std::to_string(wide), "an i16 of at most 3 bytes");
    } else if (!number->canonical) {
      fault(Rule::thrift_varint_canonical, at + 1, number->length, std::to_string(wide));
    }
  }
  const std::uint64_t header_length = cursor_.offset() - at;

  const Field* known = type.find(id);
  path_[path_size_++] = {known, -1, id};
  if (delta == 0 && id > previous && id - previous <= 15) {
    fault(Rule::thrift_short_field_header, at, header_length, std::to_string(header_length) + " bytes", "1 byte");
  }
  if (id < 1 && !(id == kPrintedExtensionId && wire == Wire::binary)) {
    fault(Rule::thrift_field_id, at, header_length, std::to_string(id), "1 to 32767");
  } else if (id < previous) {
    fault(Rule::thrift_field_order, at, header_length, std::to_string(id), "more than " + std::to_string(previous));
  }
  previous = id;

  bool whole = true;
  const bool repeated = known != nullptr && seen.mentions(known->id);
  if (type.is_union && !repeated && ((seen.present | seen.faulty) != 0 || seen.unknown != 0)) {
    fault(Rule::thrift_union_exactly_one, at, header_length, "several members", "one member");
  }
  if (known == nullptr) {
    if (id >= 1 && id != kExtensionId && &type != &kUnknownStruct) {
      fault(Rule::thrift_unknown_field, at, header_length, std::to_string(id) + " (" + wire_name(wire) + ")",
            std::string(type.name));
    }
    seen.unknown = id;
    whole = skip(wire);
  } else {
    const std::uint32_t bit = 1U << known->id;
    bool good = true;
    if (repeated) {
      fault(Rule::thrift_duplicate_field, at, header_length, std::string(known->name));
      whole = skip(wire);
    } else if (!wire_matches(wire, known->kind)) {
      fault(Rule::thrift_field_type, at, header_length, wire_name(wire), wire_name(wire_of(known->kind)));
      seen.faulty |= bit;
      whole = skip(wire);
    } else {
      void* slot = out == nullptr ? nullptr : static_cast<std::byte*>(out) + known->offset;
      whole = value(*known, wire, slot, good);
      (good && whole ? seen.present : seen.faulty) |= bit;
    }
  }
  --path_size_;
  return whole;
}

void Reader::check_presence(const StructType& type, const Presences& seen) {
  const std::uint64_t length = seen.end - seen.offset;
  if (type.is_union) {
    if ((seen.present | seen.faulty) != 0) return;
    if (seen.unknown != 0) {
      fault(Rule::thrift_unknown_union_member, seen.offset, 1, std::to_string(seen.unknown), std::string(type.name));
    } else {
      fault(Rule::thrift_union_exactly_one, seen.offset, length, "no member", "one member");
    }
    return;
  }
  for (const Field& required : type.fields) {
    if (required.presence != Presence::required || seen.mentions(required.id)) continue;
    path_[path_size_++] = {&required, -1, 0};
    fault(Rule::thrift_required_field, seen.offset, length, "absent", std::string(required.name));
    --path_size_;
  }
}

bool Reader::integer(unsigned bits, std::int64_t& out, bool& good) {
  const std::uint64_t at = cursor_.offset();
  const std::uint32_t max_bytes = (bits + 6) / 7;
  const Result<Varint> number = cursor_.uleb<std::uint64_t>(10);
  if (!number) {
    if (number.error().rule != Rule::thrift_varint_overflow) return lost(number.error());
    fault(Rule::thrift_varint_overflow, at, number.error().length, "more than 64 bits", std::to_string(bits) + " bits");
    good = false;
    return cursor_.take(number.error().length).has_value();
  }
  const std::uint64_t mask = low_bits(bits);
  if (number->length > max_bytes || number->value > mask) {
    fault(Rule::thrift_varint_overflow, at, number->length, std::to_string(unzigzag(number->value)),
          "an i" + std::to_string(bits) + " of at most " + std::to_string(max_bytes) + " bytes");
    good = false;
    return true;
  }
  if (!number->canonical) fault(Rule::thrift_varint_canonical, at, number->length, std::to_string(number->length));
  out = unzigzag(number->value);
  return true;
}

bool Reader::binary(const Field* field, View& out) {
  const std::uint64_t at = cursor_.offset();
  const Result<Varint> length = cursor_.uleb<std::uint64_t>(10);
  if (!length) return lost(length.error());
  if (length->value > cursor_.remaining() || length->value > INT32_MAX) {
    fault(Rule::thrift_binary_length, at, length->length, std::to_string(length->value),
          "at most " + std::to_string(cursor_.remaining()));
    return false;
  }
  if (length->length > 5) {
    fault(Rule::thrift_varint_overflow, at, length->length, std::to_string(length->length) + " bytes", "at most 5 bytes");
  } else if (!length->canonical) {
    fault(Rule::thrift_varint_canonical, at, length->length, std::to_string(length->value));
  }
  out = *cursor_.take(length->value);
  if (field != nullptr && (field->kind == Kind::list ? field->element : field->kind) == Kind::string) {
    const std::size_t bad = utf8_error(out.bytes);
    if (bad != out.size()) {
      fault(Rule::thrift_string_utf8, out.base + bad, 1, "byte " + std::to_string(out.bytes[bad]), "UTF-8");
    }
  }
  return true;
}

bool Reader::value(const Field& field, Wire wire, void* slot, bool& good) {
  const std::uint64_t at = cursor_.offset();
  std::int64_t number = 0;
  switch (field.kind) {
    case Kind::boolean: store(slot, wire == Wire::bool_true); return true;
    case Kind::i8: {
      const Result<std::int8_t> byte = cursor_.le<std::int8_t>();
      if (!byte) return lost(byte.error());
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
        fault(Rule::thrift_unknown_enum_value, at, cursor_.offset() - at, std::to_string(number),
              std::string(field.enumeration->name));
      }
      return true;
    case Kind::i64:
      if (!integer(64, number, good)) return false;
      store(slot, number);
      return true;
    case Kind::double_: {
      const Result<double> real = cursor_.le<double>();
      if (!real) return lost(real.error());
      store(slot, *real);
      return true;
    }
    case Kind::binary:
    case Kind::string: {
      View bytes;
      if (!binary(&field, bytes)) return false;
      store(slot, bytes);
      return true;
    }
    case Kind::structure: return structure(*field.type, slot);
    case Kind::list: return list(field, slot, good);
  }
  return false;
}

bool Reader::list_header(std::uint32_t& count, Wire& element, std::uint64_t& at) {
  at = cursor_.offset();
  const Result<std::uint8_t> header = cursor_.le<std::uint8_t>();
  if (!header) return lost(header.error());
  std::uint64_t claimed = *header >> 4;
  if (claimed == 15) {
    const Result<Varint> size = cursor_.uleb<std::uint64_t>(10);
    if (!size) return lost(size.error());
    claimed = size->value;
    if (size->length > 5) {
      fault(Rule::thrift_varint_overflow, at + 1, size->length, std::to_string(size->length) + " bytes", "at most 5 bytes");
    } else if (!size->canonical) {
      fault(Rule::thrift_varint_canonical, at + 1, size->length, std::to_string(claimed));
    }
  }
  const auto nibble = static_cast<std::uint8_t>(*header & 0x0F);
  // The element type of an empty list carries no meaning and some writers leave it 0.
  if (!is_wire_type(nibble) && claimed != 0) {
    fault(Rule::thrift_compact_protocol, at, 1, "type " + std::to_string(nibble), "1 to 12");
    return false;
  }
  element = static_cast<Wire>(nibble);
  if (claimed > INT32_MAX || claimed > cursor_.remaining() / min_encoded_size(element)) {
    fault(Rule::thrift_list_size, at, cursor_.offset() - at, std::to_string(claimed),
          "at most " + std::to_string(cursor_.remaining() / min_encoded_size(element)));
    return false;
  }
  count = static_cast<std::uint32_t>(claimed);
  return true;
}

bool Reader::booleans(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t at = cursor_.offset();
    const Result<std::uint8_t> byte = cursor_.le<std::uint8_t>();
    if (!byte) return lost(byte.error());
    if (*byte == 1 || *byte == 2) continue;
    path_[path_size_++] = {nullptr, i, 0};
    fault(*byte == 0 ? Rule::thrift_bool_list_zero : Rule::thrift_bool_list_value, at, 1, std::to_string(*byte), "1 or 2");
    --path_size_;
  }
  return true;
}

bool Reader::list(const Field& field, void* slot, bool& good) {
  List out;
  std::uint64_t at = 0;
  if (!list_header(out.count, out.element, at)) return false;
  out.bytes = cursor_.rest();
  if (out.count != 0 && !wire_matches(out.element, field.element)) {
    fault(Rule::thrift_list_element_type, at, 1, wire_name(out.element), wire_name(wire_of(field.element)));
    good = false;
    for (std::uint32_t i = 0; i < out.count; ++i) {
      if (!skip(out.element)) return false;
    }
    return true;
  }
  if (!enter(at)) return false;
  const bool whole = field.element == Kind::boolean ? booleans(out.count) : each(field, out, good);
  leave();
  if (whole) out.bytes = out.bytes.part(0, static_cast<std::size_t>(cursor_.offset() - out.bytes.base));
  store(slot, out);
  return whole;
}

bool Reader::each(const Field& field, const List& list, bool& good) {
  const bool handled = handler_ != nullptr && handler_->takes(field);
  Field element = field;
  element.kind = field.element;
  bool whole = true;
  for (std::uint32_t i = 0; i < list.count && whole; ++i) {
    path_[path_size_++] = {nullptr, i, 0};
    whole = handled ? handler_->element(*this, field, i) : value(element, list.element, nullptr, good);
    --path_size_;
  }
  return whole;
}

bool Reader::elements(const Field& field, const List& list) {
  path_[path_size_++] = {&field, -1, 0};
  bool good = true;
  const bool whole = each(field, list, good);
  --path_size_;
  return whole;
}

bool Reader::pass_over() {
  const Judged judged = std::exchange(judged_, Judged{});
  const std::uint64_t faults = faults_;
  const bool whole = structure(kUnknownStruct, nullptr);
  judged_ = judged;
  faults_ = faults;
  return whole;
}

bool Reader::skip(Wire wire) {
  bool good = true;
  std::int64_t number = 0;
  switch (wire) {
    case Wire::bool_true:
    case Wire::bool_false: return true;
    case Wire::i8: {
      const Result<View> byte = cursor_.take(1);
      return byte ? true : lost(byte.error());
    }
    case Wire::i16: return integer(16, number, good);
    case Wire::i32: return integer(32, number, good);
    case Wire::i64: return integer(64, number, good);
    case Wire::double_: {
      const Result<View> bytes = cursor_.take(8);
      return bytes ? true : lost(bytes.error());
    }
    case Wire::binary: {
      View bytes;
      return binary(nullptr, bytes);
    }
    case Wire::list:
    case Wire::set: {
      std::uint32_t count = 0;
      Wire element = Wire::stop;
      std::uint64_t at = 0;
      if (!list_header(count, element, at) || !enter(at)) return false;
      bool whole = true;
      for (std::uint32_t i = 0; i < count && whole; ++i) {
        // Booleans in a list take a byte each, unlike boolean fields.
        whole = skip(element == Wire::bool_true || element == Wire::bool_false ? Wire::i8 : element);
      }
      leave();
      return whole;
    }
    case Wire::map: {
      const std::uint64_t at = cursor_.offset();
      const Result<Varint> size = cursor_.uleb<std::uint64_t>(10);
      if (!size) return lost(size.error());
      if (size->value == 0) return true;
      if (size->value > cursor_.remaining() / 2) {
        fault(Rule::thrift_list_size, at, size->length, std::to_string(size->value),
              "at most " + std::to_string(cursor_.remaining() / 2));
        return false;
      }
      const Result<std::uint8_t> types = cursor_.le<std::uint8_t>();
      if (!types) return lost(types.error());
      if (!is_wire_type(*types >> 4) || !is_wire_type(*types & 0x0F)) {
        fault(Rule::thrift_compact_protocol, cursor_.offset() - 1, 1, std::to_string(*types), "two types of 1 to 12");
        return false;
      }
      if (!enter(at)) return false;
      bool whole = true;
      for (std::uint64_t i = 0; i < size->value && whole; ++i) {
        for (const int part : {*types >> 4, *types & 0x0F}) {
          whole = whole && skip(part <= 2 ? Wire::i8 : static_cast<Wire>(part));
        }
      }
      leave();
      return whole;
    }
    case Wire::struct_: return structure(kUnknownStruct, nullptr);
    case Wire::stop: break;
  }
  return false;
}

}  // namespace parqproof::thrift
