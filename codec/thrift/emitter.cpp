#include "codec/thrift/emitter.hpp"

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

#include "codec/base/bits.hpp"

namespace parqproof::thrift {

void Emitter::raw(std::span<const std::uint8_t> bytes) {
  out_->insert(out_->end(), bytes.begin(), bytes.end());
}

void Emitter::varint(std::uint64_t value, unsigned padding) {
  for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
  for (; padding != 0; --padding, value = 0) byte(static_cast<std::uint8_t>(value | 0x80));
  byte(static_cast<std::uint8_t>(value));
}

void Emitter::integer(std::int64_t value, unsigned padding) { varint(zigzag(value), padding); }

void Emitter::real(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8) byte(static_cast<std::uint8_t>(bits >> shift));
}

void Emitter::binary(std::span<const std::uint8_t> bytes, unsigned padding) {
  varint(bytes.size(), padding);
  raw(bytes);
}

void Emitter::list_header(Wire element, std::uint64_t count, unsigned padding) {
  const auto nibble = static_cast<std::uint8_t>(element);
  if (count < 15 && padding == 0) {
    byte(static_cast<std::uint8_t>(count << 4 | nibble));
  } else {
    byte(static_cast<std::uint8_t>(0xF0 | nibble));
    varint(count, padding);
  }
}

void Emitter::field_header(std::int16_t id, Wire wire, bool long_header, unsigned id_padding) {
  const int delta = id - last_ids_.back();
  const auto nibble = static_cast<std::uint8_t>(wire);
  if (delta >= 1 && delta <= 15 && !long_header && id_padding == 0) {
    byte(static_cast<std::uint8_t>(delta << 4 | nibble));
  } else {
    byte(nibble);
    varint(zigzag(id), id_padding);
  }
  last_ids_.back() = id;
}

void Emitter::field_header(std::span<const std::uint8_t> encoded, std::int16_t id) {
  raw(encoded);
  last_ids_.back() = id;
}

void Emitter::end_struct() {
  byte(static_cast<std::uint8_t>(Wire::stop));
  last_ids_.pop_back();
}

namespace {

template <typename T>
T load(const std::byte* slot) noexcept {
  T value;
  std::memcpy(&value, slot, sizeof value);
  return value;
}

/// Emits structs from their field tables. Tracks the path only if `forms` requests other forms of fields.
class TableEmitter {
 public:
  TableEmitter(std::vector<std::uint8_t>& out, std::span<const FieldForm> forms)
      : emitter_(out), forms_(forms) {}

  void structure(const StructType& type, const std::byte* value) {
    const auto fields = load<Presences>(value);
    emitter_.begin_struct();
    for (const Field& known : type.fields) {
      if (!fields.has(known.id)) continue;
      const std::size_t outer = path_.size();
      if (!forms_.empty()) {
        if (!path_.empty()) path_ += '.';
        path_ += known.name;
      }
      field(known, value + known.offset);
      path_.resize(outer);
    }
    for (const FieldForm& form : forms_) {
      if (form.path == path_) emitter_.raw(form.unknown);
    }
    emitter_.end_struct();
  }

 private:
  void field(const Field& known, const std::byte* slot) {
    FieldForm asked;
    for (const FieldForm& form : forms_) {
      if (form.path == path_ && form.unknown.empty()) asked = form;
    }
    Wire wire = wire_of(known.kind);
    if (known.kind == Kind::boolean) wire = load<bool>(slot) ? Wire::bool_true : Wire::bool_false;
    emitter_.field_header(known.id, wire, asked.long_header, asked.id_padding);
    switch (known.kind) {
      case Kind::boolean:
        break;
      case Kind::i8:
        emitter_.byte(load<std::uint8_t>(slot));
        break;
      case Kind::i16:
        emitter_.integer(load<std::int16_t>(slot), asked.padding);
        break;
      case Kind::i32:
      case Kind::enumeration:
        emitter_.integer(load<std::int32_t>(slot), asked.padding);
        break;
      case Kind::i64:
        emitter_.integer(load<std::int64_t>(slot), asked.padding);
        break;
      case Kind::double_:
        emitter_.real(load<double>(slot));
        break;
      case Kind::binary:
      case Kind::string:
        emitter_.binary(load<View>(slot).bytes, asked.padding);
        break;
      case Kind::structure:
        structure(*known.type, slot);
        break;
      case Kind::list: {
        const auto list = load<List>(slot);
        emitter_.list_header(list.count == 0 ? wire_of(known.element) : list.element, list.count,
                             asked.padding);
        emitter_.raw(list.bytes.bytes);
        break;
      }
    }
  }

  Emitter emitter_;
  std::span<const FieldForm> forms_;
  std::string path_;
};

}  // namespace

void emit(const StructType& type, const void* value, std::vector<std::uint8_t>& out,
          std::span<const FieldForm> forms) {
  TableEmitter(out, forms).structure(type, static_cast<const std::byte*>(value));
}

}  // namespace parqproof::thrift
