// The field tables, compared with the IDL from which Apache Thrift's code is generated.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/structs.hpp"

namespace parqproof::test {
namespace {

using thrift::Kind;
using thrift::Wire;

struct IdlField {
  int id;
  std::string presence;  ///< empty in a union
  std::string type;
  std::string name;
};

struct IdlStruct {
  bool is_union = false;
  std::vector<IdlField> fields;
};

struct Idl {
  std::map<std::string, IdlStruct> structs;
  std::map<std::string, std::map<std::int32_t, std::string>> enums;
};

template <typename Each>
void for_each_match(const std::string& text, const std::regex& pattern, Each&& each) {
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) each(*at);
}

Idl read_idl() {
  std::ifstream file(std::string(PARQPROOF_SOURCE_DIR) + "/tests/thrift/parquet.thrift");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Idl idl;
  const std::regex blocks(R"((struct|union|enum) (\w+) \{([^}]*)\})");
  const std::regex fields(R"((\d+): (?:(required|optional) )?([\w<>]+) (\w+))");
  const std::regex values(R"((\w+) = (\d+))");
  for_each_match(text, blocks, [&](const std::smatch& block) {
    const std::string body = block[3];
    if (block[1] == "enum") {
      auto& known = idl.enums[block[2]];
      for_each_match(body, values, [&](const std::smatch& m) { known[std::stoi(m[2])] = m[1]; });
    } else {
      IdlStruct& known = idl.structs[block[2]];
      known.is_union = block[1] == "union";
      for_each_match(body, fields, [&](const std::smatch& m) {
        known.fields.push_back({std::stoi(m[1]), m[2], m[3], m[4]});
      });
    }
  });
  return idl;
}

std::string idl_type(const thrift::Field& field, Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "bool";
    case Kind::i8:
      return "i8";
    case Kind::i16:
      return "i16";
    case Kind::i32:
      return "i32";
    case Kind::i64:
      return "i64";
    case Kind::double_:
      return "double";
    case Kind::binary:
      return "binary";
    case Kind::string:
      return "string";
    case Kind::enumeration:
      return std::string(field.enumeration->name);
    case Kind::structure:
      return std::string(field.type->name);
    case Kind::list:
      return "list<" + idl_type(field, field.element) + ">";
  }
  return "";
}

/// The wire type of an IDL type, by the compact protocol.
Wire wire_of_idl(const Idl& idl, const std::string& type) {
  static const std::map<std::string, Wire> primitives{{"bool", Wire::bool_true}, {"i8", Wire::i8},
                                                      {"i16", Wire::i16},        {"i32", Wire::i32},
                                                      {"i64", Wire::i64},        {"double", Wire::double_},
                                                      {"binary", Wire::binary},  {"string", Wire::binary}};
  if (type.starts_with("list<")) return Wire::list;
  if (const auto at = primitives.find(type); at != primitives.end()) return at->second;
  return idl.enums.contains(type) ? Wire::i32 : Wire::struct_;
}

TEST_CASE("every struct has the fields of the IDL: ids, names, types, wire types and presence", "[unit]") {
  const Idl idl = read_idl();
  REQUIRE(idl.structs.size() == kAllStructs.size());
  for (const thrift::StructType* type : kAllStructs) {
    INFO(type->name);
    REQUIRE(idl.structs.contains(std::string(type->name)));
    const IdlStruct& expected = idl.structs.at(std::string(type->name));
    CHECK(type->is_union == expected.is_union);
    REQUIRE(type->fields.size() == expected.fields.size());
    for (std::size_t i = 0; i < type->fields.size(); ++i) {
      const thrift::Field& field = type->fields[i];
      const IdlField& wanted = expected.fields[i];
      INFO(field.name);
      CHECK(field.id == wanted.id);
      CHECK(field.name == wanted.name);
      CHECK(idl_type(field, field.kind) == wanted.type);
      CHECK(thrift::wire_of(field.kind) == wire_of_idl(idl, wanted.type));
      if (field.kind == Kind::list) {
        const std::string element = wanted.type.substr(5, wanted.type.size() - 6);
        CHECK(thrift::wire_of(field.element) == wire_of_idl(idl, element));
      }
      CHECK((field.presence == thrift::Presence::required) == (wanted.presence == "required"));
      CHECK(wanted.presence.empty() == expected.is_union);
      CHECK(type->find(field.id) == &field);
      CHECK(type->find(field.name) == &field);
    }
    CHECK(std::ranges::is_sorted(type->fields, {}, &thrift::Field::id));
    CHECK(type->find(std::int64_t{0}) == nullptr);
    CHECK(type->find(std::int64_t{32}) == nullptr);
  }
}

TEST_CASE("every enumeration has the values of the IDL", "[unit]") {
  const Idl idl = read_idl();
  REQUIRE(idl.enums.size() == kAllEnums.size());
  for (const thrift::EnumType* type : kAllEnums) {
    INFO(type->name);
    REQUIRE(idl.enums.contains(std::string(type->name)));
    std::map<std::int32_t, std::string> ours;
    for (const thrift::EnumValue& value : type->values) {
      ours[value.value] = value.name;
      CHECK(type->name_of(value.value) == value.name);
    }
    CHECK(ours == idl.enums.at(std::string(type->name)));
    CHECK(type->name_of(-1).empty());
  }
}

TEST_CASE("a field that was not read has the default of the IDL", "[unit]") {
  CHECK(DataPageHeaderV2{}.is_compressed);
  CHECK(ColumnChunk{}.file_offset == 0);
}

}  // namespace
}  // namespace parqproof::test
