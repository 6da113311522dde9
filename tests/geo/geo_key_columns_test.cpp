#include "conformance/geo/geo_key_columns.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parqproof {
namespace {

/// A schema with these leaves at its root; the names outlive it.
Schema of_leaves(const std::vector<std::string_view>& names) {
  const auto named = [](std::string_view name) {
    SchemaElement element;
    element.name = {{reinterpret_cast<const std::uint8_t*>(name.data()), name.size()}};
    element.fields.present |= 1U << SchemaElement::id_name;
    return element;
  };
  Schema schema;
  SchemaElement root = named("root");
  root.num_children = static_cast<std::int32_t>(names.size());
  root.fields.present |= 1U << SchemaElement::id_num_children;
  schema.add(root);
  for (const std::string_view name : names) {
    SchemaElement leaf = named(name);
    leaf.type = Type::BYTE_ARRAY;
    leaf.fields.present |= 1U << SchemaElement::id_type | 1U << SchemaElement::id_repetition_type;
    schema.add(leaf);
  }
  schema.finish();
  return schema;
}

constexpr std::string_view kTwo =
    R"({"version":"1.1.0","primary_column":"g","columns":{"g":{"encoding":"WKB","covering":{"bbox":{)"
    R"("xmin":["box","x"]}}},"h":{"encoding":"WKB"}}})";

}  // namespace

TEST_CASE("the key geo loses the columns that are gone", "[geo]") {
  CHECK(without_lost_columns(kTwo, of_leaves({"g", "h", "box"})) == kTwo);
  CHECK(without_lost_columns(kTwo, of_leaves({"h"})) ==
        R"({"columns":{"h":{"encoding":"WKB"}},"primary_column":"h","version":"1.1.0"})");
  CHECK(without_lost_columns(kTwo, of_leaves({"g"})) ==
        R"({"columns":{"g":{"encoding":"WKB"}},"primary_column":"g","version":"1.1.0"})");
}

TEST_CASE("the key geo goes with its last column, or if it cannot be read", "[geo]") {
  CHECK_FALSE(without_lost_columns(kTwo, of_leaves({"id"})));
  for (const char* const text : {"", "{", "[]", "{}", R"({"columns":1})", R"({"columns":{}})"})
    CHECK_FALSE(without_lost_columns(text, of_leaves({"g"})));
  const std::string deep =
      R"({"columns":{"g":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}}";
  CHECK_FALSE(without_lost_columns(deep, of_leaves({"g"})));
}

}  // namespace parqproof
