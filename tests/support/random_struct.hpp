#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "codec/thrift/emitter.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::test {

/// Makes random instances of any C++ struct of the format by its field table, the same for the same seed.
class RandomStructs {
 public:
  explicit RandomStructs(std::uint64_t seed) : random_(seed) {}

  /// A legal instance: every required field, some optional ones, one member of a union, known enum values,
  /// valid strings. It lives until clear().
  const void* make(const thrift::StructType& type) {
    const std::size_t words = size_of(type) / sizeof(std::max_align_t) + 1;
    auto* out = reinterpret_cast<std::byte*>(structs_.emplace_back(words).data());
    fill(type, out, below(4), 0);
    return out;
  }

  /// An instance in its canonical form.
  std::vector<std::uint8_t> bytes(const thrift::StructType& type) {
    std::vector<std::uint8_t> out;
    thrift::emit(type, make(type), out);
    return out;
  }

  /// A number in [0, limit).
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::mt19937_64& random() { return random_; }

  void clear() {
    bytes_.clear();
    structs_.clear();
  }

 private:
  static std::size_t size_of(const thrift::Field& field) {
    using enum thrift::Kind;
    switch (field.kind) {
      case boolean:
      case i8:
        return 1;
      case i16:
        return 2;
      case i32:
      case enumeration:
        return 4;
      case i64:
      case double_:
        return 8;
      case binary:
      case string:
        return sizeof(View);
      case structure:
        return size_of(*field.type);
      case list:
        return sizeof(thrift::List);
    }
    return 0;
  }
  static std::size_t size_of(const thrift::StructType& type) {
    std::size_t size = sizeof(thrift::Presences);
    for (const thrift::Field& field : type.fields) size = std::max(size, field.offset + size_of(field));
    return size;
  }

  template <typename T>
  static void store(std::byte* slot, T value) {
    std::memcpy(slot, &value, sizeof value);
  }

  /// `share` of 4: fraction of the optional fields that are present.
  void fill(const thrift::StructType& type, std::byte* out, std::uint64_t share, int depth) {
    thrift::Presences presences;
    const std::uint64_t member = type.fields.empty() ? 0 : below(type.fields.size());
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      const thrift::Field& field = type.fields[i];
      const bool there = type.is_union                                  ? i == member
                         : field.presence == thrift::Presence::required ? true
                                                                        : below(3) < share;
      if (!there) continue;
      presences.present |= 1U << field.id;
      value(field, field.kind, out + field.offset, share, depth);
    }
    store(out, presences);
  }

  void value(const thrift::Field& field, thrift::Kind kind, std::byte* slot, std::uint64_t share, int depth) {
    using enum thrift::Kind;
    switch (kind) {
      case boolean:
        store(slot, below(2) == 1);
        break;
      case i8:
        store(slot, static_cast<std::int8_t>(integer(8)));
        break;
      case i16:
        store(slot, static_cast<std::int16_t>(integer(16)));
        break;
      case i32:
        store(slot, static_cast<std::int32_t>(integer(32)));
        break;
      case i64:
        store(slot, integer(64));
        break;
      case enumeration:
        store(slot, field.enumeration->values[below(field.enumeration->values.size())].value);
        break;
      case double_:
        store(slot, random_());
        break;  // any 64 bits
      case binary:
        store(slot, View{binary_bytes()});
        break;
      case string:
        store(slot, View{string_bytes()});
        break;
      case structure:
        fill(*field.type, slot, share, depth + 1);
        break;
      case list:
        store(slot, list_of(field, share, depth));
        break;
    }
  }

  thrift::List list_of(const thrift::Field& field, std::uint64_t share, int depth) {
    const bool structs = field.element == thrift::Kind::structure;
    const std::uint64_t count = !structs && below(8) == 0 ? below(300) : below(structs && depth > 1 ? 3 : 18);
    std::vector<std::uint8_t>& out = bytes_.emplace_back();
    thrift::Emitter emitter(out);
    for (std::uint64_t i = 0; i < count; ++i) element(field, emitter, out, share, depth);
    return {{out}, static_cast<std::uint32_t>(count), thrift::wire_of(field.element)};
  }

  void element(const thrift::Field& field, thrift::Emitter& emitter, std::vector<std::uint8_t>& out,
               std::uint64_t share, int depth) {
    using enum thrift::Kind;
    switch (field.element) {
      case boolean:
        emitter.boolean(below(2) == 1);
        break;
      case i32:
        emitter.integer(integer(32));
        break;
      case i64:
        emitter.integer(integer(64));
        break;
      case enumeration:
        emitter.integer(field.enumeration->values[below(field.enumeration->values.size())].value);
        break;
      case binary:
        emitter.binary(binary_bytes());
        break;
      case string:
        emitter.binary(string_bytes());
        break;
      case structure: {
        std::vector<std::max_align_t> room(size_of(*field.type) / sizeof(std::max_align_t) + 1);
        auto* slot = reinterpret_cast<std::byte*>(room.data());
        fill(*field.type, slot, share, depth + 1);
        thrift::emit(*field.type, slot, out);
        break;
      }
      default:
        std::abort();  // the format has no other lists
    }
  }

  std::int64_t integer(unsigned bits) {
    const std::int64_t max = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
    switch (below(4)) {
      case 0:
        return static_cast<std::int64_t>(below(100));
      case 1:
        return std::initializer_list<std::int64_t>{0, 1, -1, max, -max - 1}.begin()[below(5)];
      case 2:
        return static_cast<std::int64_t>(below(1 << (bits / 2 - 1)));
      default:
        return static_cast<std::int64_t>(random_()) >> (64 - bits);
    }
  }

  std::vector<std::uint8_t>& binary_bytes() {
    std::vector<std::uint8_t>& out = bytes_.emplace_back(below(16) == 0 ? below(300) : below(12));
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(random_());
    return out;
  }

  std::vector<std::uint8_t>& string_bytes() {
    std::vector<std::uint8_t>& out = bytes_.emplace_back();
    const auto put = [&](std::uint64_t byte) { out.push_back(static_cast<std::uint8_t>(byte)); };
    const std::uint64_t length = below(16) == 0 ? below(150) : below(12);
    for (std::uint64_t i = 0; i < length; ++i) {
      switch (below(4)) {
        case 0:
          put(below(0x80));
          break;
        case 1:
          put(0xC2 + below(30)), put(0x80 + below(64));
          break;
        case 2:
          put(0xE1 + below(12)), put(0x80 + below(64)), put(0x80 + below(64));
          break;
        default:
          put(0xF1 + below(3)), put(0x80 + below(64)), put(0x80 + below(64)), put(0x80 + below(64));
          break;
      }
    }
    return out;
  }

  std::mt19937_64 random_;
  std::deque<std::vector<std::uint8_t>> bytes_;
  std::deque<std::vector<std::max_align_t>> structs_;
};

}  // namespace parqproof::test
