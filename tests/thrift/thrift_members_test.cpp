// Each field of a table has its own member: the one with its name.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"
#include "tests/support/structs.hpp"

namespace parqproof::test {
namespace {

using thrift::Field;
using thrift::Kind;
using thrift::StructType;

// Bytes of every C++ struct of the format.
std::size_t size_of(const StructType& type) {
#define PARQPROOF_SIZE(name) \
  if (&type == &name::kType) return sizeof(name);
  PARQPROOF_STRUCTS(PARQPROOF_SIZE)
#undef PARQPROOF_SIZE
  return sizeof(EmptyStruct);
}

std::size_t size_of(const Field& field) {
  switch (field.kind) {
    case Kind::boolean:
    case Kind::i8:
      return 1;
    case Kind::i16:
      return 2;
    case Kind::i32:
    case Kind::enumeration:
      return 4;
    case Kind::i64:
    case Kind::double_:
      return 8;
    case Kind::binary:
    case Kind::string:
      return sizeof(View);
    case Kind::structure:
      return size_of(*field.type);
    case Kind::list:
      return sizeof(thrift::List);
  }
  return 0;
}

/// A struct as its header declares it.
struct Declared {
  std::map<std::string, int> ids;    ///< id_NAME = number
  std::vector<std::string> members;  ///< in their order
};

std::string between(const std::string& text, const std::string& from, const std::string& to,
                    std::size_t& at) {
  at = text.find(from, at);
  if (at == std::string::npos) return {};
  const std::size_t start = at + from.size();
  at = text.find(to, start);
  return text.substr(start, at - start);
}

std::map<std::string, Declared> declared_structs() {
  std::map<std::string, Declared> all;
  const std::regex id(R"(id_(\w+) = (\d+))");
  const std::regex member(R"(^  [\w:]+ (\w+)(\{\}| = \w+)?;)");
  const std::string folder = std::string(PARQPROOF_SOURCE_DIR) + "/codec/format";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = 0; (at = text.find("\nstruct ", at)) != std::string::npos;) {
      const std::string name = between(text, "\nstruct ", " {", at);
      if (text.compare(at, 12, " {\n  enum Id") != 0) continue;  // a struct without fields
      Declared& declared = all[name];
      const std::string ids = between(text, "enum Id", "};", at);
      for (std::sregex_iterator m(ids.begin(), ids.end(), id), end; m != end; ++m) {
        declared.ids[(*m)[1]] = std::stoi((*m)[2]);
      }
      std::string members = between(text, "thrift::Presences fields;\n", "\n  [[nodiscard]]", at);
      for (std::size_t start = 0; start < members.size();) {
        const std::size_t stop = std::min(members.find('\n', start), members.size());
        const std::string line = members.substr(start, stop - start);
        if (line.starts_with("  /// Not stored:")) break;
        std::smatch match;
        if (std::regex_search(line, match, member)) declared.members.push_back(match[1]);
        start = stop + 1;
      }
    }
  }
  return all;
}

/// A struct with only the field `only`, as it is written.
template <typename Struct>
std::vector<std::uint8_t> emitted(Struct value, const Field& only) {
  value.fields.present = 1U << only.id;
  std::vector<std::uint8_t> bytes;
  thrift::emit(value, bytes);
  return bytes;
}

/// A value of a field that differs from its value before it is read.
void set(const Field& field, std::byte* slot, std::uint32_t seed) {
  static const std::array<std::uint8_t, 4> kBytes{'f', 'o', 'u', 'r'};
  static const std::array<std::uint8_t, 8> kZeros{};
  const auto store = [&](auto value) { std::memcpy(slot, &value, sizeof value); };
  switch (field.kind) {
    case Kind::boolean: {
      bool before = false;
      std::memcpy(&before, slot, 1);
      store(!before);
      break;
    }
    case Kind::i8:
      store(static_cast<std::int8_t>(seed + 1));
      break;
    case Kind::i16:
      store(static_cast<std::int16_t>(seed + 1));
      break;
    case Kind::enumeration: {
      std::int32_t before = 0;
      std::memcpy(&before, slot, sizeof before);
      const auto known = std::ranges::find_if(field.enumeration->values,
                                              [&](const auto& value) { return value.value != before; });
      store(known->value);
      break;
    }
    case Kind::i32:
      store(static_cast<std::int32_t>(100'000 + seed));
      break;
    case Kind::i64:
      store((std::int64_t{1} << 40) + seed);
      break;
    case Kind::double_:
      store(1.5 + seed);
      break;
    case Kind::binary:
    case Kind::string:
      store(View{kBytes});
      break;
    case Kind::list:
      store(thrift::List{{std::span(kZeros).first(1)}, 1, thrift::wire_of(field.element)});
      break;
    case Kind::structure:  // its first field, if it has one
      if (!field.type->fields.empty()) {
        const Field& first = field.type->fields.front();
        thrift::Presences presences;
        presences.present = 1U << first.id;
        store(presences);
        set(first, slot + first.offset, seed);
      }
      break;
  }
}

template <typename Struct>
void each_field_alone() {
  const StructType& type = Struct::kType;
  for (const Field& field : type.fields) {
    INFO(type.name << "." << field.name);
    Struct written;
    written.fields.present = 1U << field.id;
    set(field, reinterpret_cast<std::byte*>(&written) + field.offset, static_cast<std::uint32_t>(field.id));
    std::vector<std::uint8_t> bytes;
    thrift::emit(written, bytes);
    // The first byte names the field and its type, as the IDL has them.
    CHECK(bytes[0] >> 4 == (field.id < 16 ? field.id : 0));
    thrift::Reader reader({bytes}, {}, kLimits);
    Struct read;
    REQUIRE(reader.read(read));
    CHECK(read.fields.present == 1U << field.id);
    for (const Field& other : type.fields) {
      INFO(other.name);
      const bool itself = &other == &field;
      const bool empty = itself && field.kind == Kind::structure && field.type->fields.empty();
      CHECK((emitted(read, other) == emitted(Struct{}, other)) == (!itself || empty));
      CHECK(emitted(read, other) == emitted(written, other));
    }
  }
}

}  // namespace

TEST_CASE("no two fields of a table share a byte, and none is outside its struct") {
  for (const StructType* type : kAllStructs) {
    INFO(type->name);
    std::size_t end = sizeof(thrift::Presences);
    int previous = 0;
    for (const Field& field : type->fields) {
      INFO(field.name);
      CHECK(field.id > previous);
      CHECK(field.id < 32);        // bits of Presences
      CHECK(field.offset >= end);  // members are in the order of their ids
      previous = field.id;
      end = field.offset + size_of(field);
      CHECK(end <= size_of(*type));
    }
  }
}

TEST_CASE("members are declared in the order of the field table, under its names and ids") {
  const std::map<std::string, Declared> declared = declared_structs();
  std::size_t with_fields = 0;
  for (const StructType* type : kAllStructs) {
    if (type->fields.empty()) continue;
    ++with_fields;
    INFO(type->name);
    REQUIRE(declared.contains(std::string(type->name)));
    std::vector<std::string> names;
    std::map<std::string, int> ids;
    for (const Field& field : type->fields) {
      names.emplace_back(field.name);
      ids[names.back()] = field.id;
    }
    CHECK(declared.at(std::string(type->name)).members == names);
    CHECK(declared.at(std::string(type->name)).ids == ids);
  }
  CHECK(declared.size() == with_fields);
}

TEST_CASE("a field that is read alone changes its own member and no other") {
#define PARQPROOF_ALONE(name) each_field_alone<name>();
  PARQPROOF_STRUCTS(PARQPROOF_ALONE)
#undef PARQPROOF_ALONE
}

}  // namespace parqproof::test
