#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/thrift/compact.hpp"

namespace parqproof::thrift {

/// What a field holds, by its IDL type.
enum class Kind : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  double_,
  binary,
  string,
  enumeration,
  structure,
  list
};

/// The wire type that a value of `kind` has; booleans have two as fields.
[[nodiscard]] constexpr Wire wire_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::boolean:
      return Wire::bool_true;
    case Kind::i8:
      return Wire::i8;
    case Kind::i16:
      return Wire::i16;
    case Kind::i32:
    case Kind::enumeration:
      return Wire::i32;
    case Kind::i64:
      return Wire::i64;
    case Kind::double_:
      return Wire::double_;
    case Kind::binary:
    case Kind::string:
      return Wire::binary;
    case Kind::structure:
      return Wire::struct_;
    case Kind::list:
      return Wire::list;
  }
  return Wire::stop;
}

/// Whether a value with this type nibble is one of `kind`.
[[nodiscard]] constexpr bool wire_matches(Wire wire, Kind kind) noexcept {
  return wire == wire_of(kind) || (kind == Kind::boolean && wire == Wire::bool_false);
}

enum class Presence : std::uint8_t { optional, required };

struct EnumValue {
  std::int32_t value;
  std::string_view name;
};

struct EnumType {
  std::string_view name;
  std::span<const EnumValue> values;

  /// The spec's name of `value`, empty where it has none.
  [[nodiscard]] constexpr std::string_view name_of(std::int64_t value) const noexcept {
    for (const EnumValue& known : values) {
      if (known.value == value) return known.name;
    }
    return {};
  }
};

struct StructType;

/// One row of a struct's field table: reader, emitter, dump and field paths are driven by it.
struct Field {
  std::int16_t id;
  std::string_view name;
  Kind kind;
  Presence presence;
  std::uint16_t offset;                   ///< of the member in the C++ struct
  const StructType* type = nullptr;       ///< of a structure, or of a list's elements
  const EnumType* enumeration = nullptr;  ///< of an enumeration, or of a list's elements
  Kind element = Kind::boolean;           ///< of a list
  bool judged_elsewhere = false;          ///< an unknown enum value here has a rule of its own
  Wire wire = wire_of(kind);              ///< of its values; booleans have two as fields

  /// wire_matches() of its kind, at hand.
  [[nodiscard]] constexpr bool takes(Wire nibble) const noexcept {
    return nibble == wire || (nibble == Wire::bool_false && kind == Kind::boolean);
  }

  /// Rows of a field table: the type of a structure or enumeration, or the element type of a list, is added
  /// to the row.
  [[nodiscard]] constexpr Field of(const StructType& structure) const {
    Field row = *this;
    row.type = &structure;
    row.element = Kind::structure;
    return row;
  }
  [[nodiscard]] constexpr Field of(const EnumType& values) const {
    Field row = *this;
    row.enumeration = &values;
    row.element = Kind::enumeration;
    return row;
  }
  [[nodiscard]] constexpr Field of(Kind element_kind) const {
    Field row = *this;
    row.element = element_kind;
    return row;
  }
  [[nodiscard]] constexpr Field judged_by_its_own_rule() const {
    Field row = *this;
    row.judged_elsewhere = true;
    return row;
  }
};

/// What the fast reader asks of a field first, at hand: the rows of a struct stand where their ids say.
struct FieldRow {
  const Field* field = nullptr;
  std::uint32_t bit = 0;                ///< 1 << id
  std::uint16_t offset = 0;             ///< Field::offset
  Wire wire = static_cast<Wire>(0xFF);  ///< Field::wire; where the struct has no such field, none there is
  Kind kind = Kind::i8;                 ///< Field::kind
};

/// Ids of fields are below this, so that a word holds a bit for each.
inline constexpr std::size_t kFieldIds = 32;

struct StructType {
  std::string_view name;
  std::span<const Field> fields;  ///< ascending ids
  bool is_union = false;
  /// Bit `id` for each required field.
  std::uint32_t required = [](std::span<const Field> all) {
    std::uint32_t bits = 0;
    for (const Field& row : all) bits |= row.presence == Presence::required ? 1U << row.id : 0;
    return bits;
  }(fields);
  /// By id.
  std::array<FieldRow, kFieldIds> rows = [](std::span<const Field> all) {
    std::array<FieldRow, kFieldIds> by_id;
    for (const Field& row : all)
      by_id[static_cast<std::size_t>(row.id)] = {&row, 1U << row.id, row.offset, row.wire, row.kind};
    return by_id;
  }(fields);

  [[nodiscard]] constexpr const Field* find(std::int64_t id) const noexcept {
    if (id >= 1 && static_cast<std::size_t>(id) <= fields.size() &&
        fields[static_cast<std::size_t>(id) - 1].id == id) {
      return &fields[static_cast<std::size_t>(id) - 1];  // ids without holes, which is nearly always
    }
    for (const Field& field : fields) {
      if (field.id == id) return &field;
    }
    return nullptr;
  }
  [[nodiscard]] constexpr const Field* find(std::string_view name_wanted) const noexcept {
    for (const Field& field : fields) {
      if (field.name == name_wanted) return &field;
    }
    return nullptr;
  }
};

/// What every C++ struct of the format begins with: which fields were there, and where the struct lies.
struct Presences {
  std::uint32_t present = 0;  ///< bit `id` for each field that was read
  std::uint32_t faulty = 0;   ///< bit `id` for each field that was there but could not be read
  std::uint64_t offset = 0;   ///< of the struct's first byte, in the space of its bytes
  std::uint64_t end = 0;      ///< one past its stop byte
  std::int32_t unknown = 0;   ///< id of the last unknown field, 0 if there was none
  bool misread = false;  ///< a part of it was read at a wrong place: fields may be absent or strange for that

  [[nodiscard]] bool has(int id) const noexcept { return (present >> id & 1U) != 0; }
  /// It is there, whether it could be read or not.
  [[nodiscard]] bool mentions(int id) const noexcept { return ((present | faulty) >> id & 1U) != 0; }
};

/// A list as it stands: `bytes` begins after the list header.
struct List {
  View bytes;
  std::uint32_t count = 0;
  Wire element = Wire::stop;
};

}  // namespace parqproof::thrift
