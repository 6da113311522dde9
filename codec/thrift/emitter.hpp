#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// A deviation from the canonical form, the one that every Thrift library writes: another form of one field,
/// or `unknown` fields at the end of one struct.
struct FieldForm {
  std::string_view path;        ///< path as in locate(); empty for the outermost struct
  bool long_header = false;     ///< writes the id in full although the short form would do
  std::uint8_t id_padding = 0;  ///< surplus bytes of the id; implies the long form
  std::uint8_t padding = 0;     ///< surplus bytes of an integer, of a binary's length or of a list's size
  std::span<const std::uint8_t> unknown = {};  ///< encoded fields that are inserted before the stop byte
};

/// Appends the parts of the compact protocol to a buffer. It does not check what it writes.
class Emitter {
 public:
  explicit Emitter(std::vector<std::uint8_t>& out) noexcept : out_(&out) {}

  void raw(std::span<const std::uint8_t> bytes);
  void byte(std::uint8_t value) { out_->push_back(value); }
  /// Appends ULEB128 with `padding` surplus bytes.
  void varint(std::uint64_t value, unsigned padding = 0);
  /// Appends zigzag ULEB128: i16, i32, i64 and enum values.
  void integer(std::int64_t value, unsigned padding = 0);
  void real(double value);
  void boolean(bool value) { byte(static_cast<std::uint8_t>(value ? Wire::bool_true : Wire::bool_false)); }
  /// Appends length and bytes of a binary or string.
  void binary(std::span<const std::uint8_t> bytes, unsigned padding = 0);
  /// Appends the header of a list or set; with padding, the size is written outside of the first byte even if
  /// it would fit.
  void list_header(Wire element, std::uint64_t count, unsigned padding = 0);

  /// Begins a struct, which may be nested: begin_struct(), fields, end_struct().
  void begin_struct() { last_ids_.push_back(0); }
  /// Appends a field header: the short form if possible, unless `long_header` or padding requests the long
  /// one.
  void field_header(std::int16_t id, Wire wire, bool long_header = false, unsigned id_padding = 0);
  /// Appends an encoded field header, which has this id.
  void field_header(std::span<const std::uint8_t> encoded, std::int16_t id);
  void end_struct();

 private:
  std::vector<std::uint8_t>* out_;
  std::vector<std::int16_t> last_ids_;
};

/// Marks fields of a struct as present, for emit().
template <typename Struct, std::same_as<typename Struct::Id>... Ids>
void set(Struct& out, Ids... ids) noexcept {
  out.fields.present |= (... | (std::uint32_t{1} << ids));
}

/// Appends the C++ struct at `value` in its canonical form: the fields that its Presences mark, in ascending
/// order. Lists get a new header; the bytes of their elements are copied. Paths in `forms` cannot enter
/// lists, whose elements are encoded already.
void emit(const StructType& type, const void* value, std::vector<std::uint8_t>& out,
          std::span<const FieldForm> forms = {});

template <typename Struct>
void emit(const Struct& value, std::vector<std::uint8_t>& out, std::span<const FieldForm> forms = {}) {
  emit(Struct::kType, &value, out, forms);
}

/// Encodes the elements of a list, all of one type: bool, an integer, an enumeration, double,
/// std::string_view, View or a C++ struct.
template <typename T>
class ListBuilder {
 public:
  void add(const T& value, std::span<const FieldForm> forms = {}) {
    Emitter emitter(bytes_);
    if constexpr (std::same_as<T, bool>) {
      emitter.boolean(value);
    } else if constexpr (std::same_as<T, std::int8_t>) {
      emitter.byte(static_cast<std::uint8_t>(value));
    } else if constexpr (std::integral<T> || std::is_enum_v<T>) {
      emitter.integer(static_cast<std::int64_t>(value));
    } else if constexpr (std::same_as<T, double>) {
      emitter.real(value);
    } else if constexpr (std::same_as<T, std::string_view>) {
      emitter.binary(bytes_of(value));
    } else if constexpr (std::same_as<T, View>) {
      emitter.binary(value.bytes);
    } else {
      emit(value, bytes_, forms);
    }
    ++count_;
  }

  /// Returns the list. Its bytes are owned by the builder and valid until the next add().
  [[nodiscard]] List list() const noexcept { return {{bytes_}, count_, kElement}; }

 private:
  static constexpr Wire wire() noexcept {
    if constexpr (std::same_as<T, bool>) return Wire::bool_true;
    if constexpr (std::same_as<T, double>) return Wire::double_;
    if constexpr (std::same_as<T, std::string_view> || std::same_as<T, View>) return Wire::binary;
    if constexpr (std::is_enum_v<T>) return Wire::i32;
    if constexpr (std::integral<T>) {
      return sizeof(T) == 1 ? Wire::i8 : sizeof(T) == 2 ? Wire::i16 : sizeof(T) == 4 ? Wire::i32 : Wire::i64;
    }
    return Wire::struct_;
  }
  static constexpr Wire kElement = wire();

  std::vector<std::uint8_t> bytes_;
  std::uint32_t count_ = 0;
};

}  // namespace parqproof::thrift
