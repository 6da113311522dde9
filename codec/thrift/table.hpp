#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/thrift/compact.hpp"

namespace parqproof::thrift {

/// IDL type of a field.
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

/// Wire type of a value of `kind`. Boolean fields have two.
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

/// Returns true if a value with this type nibble is of `kind`.
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

  /// Name of `value` in the specification; empty if it has none.
  [[nodiscard]] constexpr std::string_view name_of(std::int64_t value) const noexcept {
    for (const EnumValue& known : values) {
      if (known.value == value) return known.name;
    }
    return {};
  }
};

struct StructType;

/// One row of the field table of a struct, which drives reader, emitter, dump and field paths.
struct Field {
  std::int16_t id;
  std::string_view name;
  Kind kind;
  Presence presence;
  std::uint16_t offset;                   ///< of the member in the C++ struct
  const StructType* type = nullptr;       ///< type of a structure, or of the elements of a list
  const EnumType* enumeration = nullptr;  ///< type of an enumeration, or of the elements of a list
  Kind element = Kind::boolean;           ///< kind of the elements of a list
  bool judged_elsewhere = false;          ///< an unknown enum value has a rule of its own
  Wire wire = wire_of(kind);              ///< wire type of its values; boolean fields have two

  /// Same as wire_matches() of its kind, without computing wire_of().
  [[nodiscard]] constexpr bool takes(Wire nibble) const noexcept {
    return nibble == wire || (nibble == Wire::bool_false && kind == Kind::boolean);
  }

  /// Return the row with the type of a structure or enumeration, or of the elements of a list, for use in
  /// field tables.
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

/// The members of Field that the fast reader needs, indexed by field id.
struct FieldRow {
  const Field* field = nullptr;
  std::uint32_t bit = 0;     ///< 1 << id
  std::uint16_t offset = 0;  ///< Field::offset
  Wire wire =
      static_cast<Wire>(0xFF);  ///< Field::wire; a value outside of Wire if the struct has no such field
  Kind kind = Kind::i8;         ///< Field::kind
};

/// Field ids are below this, so that 32 bits hold one for each.
inline constexpr std::size_t kFieldIds = 32;
/// Max distance between the ids of two fields that a header in the short form can state.
inline constexpr std::size_t kMaxDelta = 15;

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
  /// The fields, indexed by id. There is a row for each id that a short header after a field can state.
  std::array<FieldRow, kFieldIds + kMaxDelta> rows = [](std::span<const Field> all) {
    std::array<FieldRow, kFieldIds + kMaxDelta> by_id;
    for (const Field& row : all)
      by_id[static_cast<std::size_t>(row.id)] = {&row, 1U << row.id, row.offset, row.wire, row.kind};
    return by_id;
  }(fields);

  [[nodiscard]] constexpr const Field* find(std::int64_t id) const noexcept {
    if (id >= 1 && static_cast<std::size_t>(id) <= fields.size() &&
        fields[static_cast<std::size_t>(id) - 1].id == id) {
      return &fields[static_cast<std::size_t>(id) - 1];  // ids without gaps, the usual case
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

/// First member of every C++ struct of the format: the fields that are present, and the extent of the struct.
struct Presences {
  std::uint32_t present = 0;  ///< bit `id` for each field that was read
  std::uint32_t faulty = 0;   ///< bit `id` for each field that is present but could not be read
  std::uint64_t offset = 0;   ///< offset of the first byte of the struct, in the space of its bytes
  std::uint64_t end = 0;      ///< one past its stop byte
  std::int32_t unknown = 0;   ///< id of the last unknown field, 0 if there is none
  bool misread = false;       ///< part of it was read at a wrong offset, so fields may be missing or wrong

  [[nodiscard]] bool has(int id) const noexcept { return (present >> id & 1U) != 0; }
  /// Returns true if the field is present, even if it could not be read.
  [[nodiscard]] bool mentions(int id) const noexcept { return ((present | faulty) >> id & 1U) != 0; }
};

/// A list as encoded; `bytes` begins after the list header.
struct List {
  View bytes;
  std::uint32_t count = 0;
  Wire element = Wire::stop;
};

}  // namespace parqproof::thrift
