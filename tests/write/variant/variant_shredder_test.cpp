#include "codec/write/variant/variant_shredder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/thrift/reader.hpp"
#include "codec/variant/builder.hpp"
#include "codec/write/variant/variant_schema.hpp"
#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using variant::Builder;
using Bytes = std::vector<std::uint8_t>;

struct Value {
  Bytes metadata;
  Bytes value;
};

/// The Variant that `build` makes.
template <typename Build>
Value value_of(Build build) {
  Builder builder;
  builder.clear();
  build(builder);
  Value out;
  REQUIRE(builder.finish(out.metadata, out.value));
  return out;
}

Value number(std::uint8_t i) {
  return value_of([i](Builder& builder) { builder.primitive(variant::Kind::int8, Bytes{i}); });
}
/// {"a": i, "b": "x"}
Value object(std::uint8_t i) {
  return value_of([i](Builder& builder) {
    builder.begin_object();
    builder.key("a");
    builder.primitive(variant::Kind::int8, Bytes{i});
    builder.key("b");
    builder.string("x");
    builder.end();
  });
}

/// The schema of a column v that is found in the values.
class FoundSchema {
 public:
  explicit FoundSchema(const std::vector<Value>& values, std::size_t most_columns = 100) {
    VariantSchemaFinder finder;
    for (const Value& one : values) finder.add(one.metadata, one.value);
    SchemaElement root;
    support::set(root, {SchemaElement::id_name, SchemaElement::id_num_children});
    root.num_children = 1;
    elements_.add(root);
    ShreddedType type = finder.find(most_columns);
    type.name = "v";
    emit_variant_group(type, FieldRepetitionType::OPTIONAL, elements_);
    thrift::for_each<SchemaElement>(elements_.list(), Limits(),
                                    [this](const SchemaElement& one, std::uint32_t) { schema_.add(one); });
    schema_.finish();
    REQUIRE(schema_.fault() == Schema::Fault::none);
    group_ = variant::find_group(schema_, 1, [](auto&&...) { FAIL("the schema breaks a rule"); });
    REQUIRE(group_);
  }

  [[nodiscard]] const Schema& schema() const { return schema_; }
  [[nodiscard]] const variant::Group& group() const { return *group_; }
  /// The paths of the columns, one in a line.
  [[nodiscard]] std::string columns() const {
    std::string out;
    for (std::size_t i = 0; i < schema_.leaf_count(); ++i)
      out += schema_.dotted_path(schema_.leaf_index(i)) + '\n';
    return out;
  }

 private:
  thrift::ListBuilder<SchemaElement> elements_;
  Schema schema_;
  std::optional<variant::Group> group_;
};

/// "level:value" of each entry of a column of byte arrays or INT32s; a null has no value.
std::string text_of(const ShreddedColumn& column) {
  const Entries entries = column.entries();
  std::string out;
  std::uint64_t value = 0;
  std::uint32_t max = 0;
  for (std::uint64_t i = 0; i < entries.count; ++i) max = std::max(max, entries.definition[i]);
  for (std::uint64_t i = 0; i < entries.count; ++i) {
    out += (i == 0 ? "" : " ") + std::to_string(entries.definition[i]);
    if (entries.definition[i] != max || value == entries.values.count) continue;
    out += ':';
    out += entries.values.form == ValueBatch::Form::fixed
               ? std::to_string(entries.values.fixed[4 * value])
               : std::to_string(entries.values.byte_arrays[value].size) + "B";
    ++value;
  }
  return out;
}

TEST_CASE("A value of the shredded type is in typed_value, any other one in value") {
  const FoundSchema found({number(1), number(2)});
  CHECK(found.columns() == "v.metadata\nv.value\nv.typed_value\n");
  VariantShredder shredder(found.schema(), found.group(), 10);
  for (const Value& one : {number(7), object(8)}) REQUIRE(shredder.add(one.metadata, one.value, 0));
  shredder.add_missing(0, 0);
  CHECK(text_of(shredder.columns()[0]) == "1:3B 1:7B 0");
  CHECK(text_of(shredder.columns()[1]) == "1 2:11B 0");
  CHECK(text_of(shredder.columns()[2]) == "2:7 1 0");
}

TEST_CASE("Fields without columns stay in the value of their object") {
  const FoundSchema found({object(1), object(2)}, 2);
  CHECK(found.columns() == "v.metadata\nv.value\nv.typed_value.a.value\nv.typed_value.a.typed_value\n");
  VariantShredder shredder(found.schema(), found.group(), 10);
  const Value one = object(9);
  REQUIRE(shredder.add(one.metadata, one.value, 0));
  CHECK(text_of(shredder.columns()[1]) == "2:7B");  // {"b": "x"}
  CHECK(text_of(shredder.columns()[2]) == "2");
  CHECK(text_of(shredder.columns()[3]) == "3:9");
}

TEST_CASE("A Variant whose values overlap is counted and shredded within a limit") {
  Value one = number(1);
  one.value = {0};
  for (int depth = 0; depth < 30; ++depth) {  // arrays of 8 elements, each of which is the next array
    Bytes array{3 | 1 << 2, 8};
    for (int i = 0; i < 8; ++i) array.insert(array.end(), {0, 0});
    array.push_back(static_cast<std::uint8_t>(one.value.size() & 0xFF));
    array.push_back(static_cast<std::uint8_t>(one.value.size() >> 8));
    array.insert(array.end(), one.value.begin(), one.value.end());
    one.value = std::move(array);
  }
  const FoundSchema found({one});
  CHECK(found.columns().contains("element"));
  constexpr std::uint64_t kMostBytes = 100'000;
  VariantShredder shredder(found.schema(), found.group(), 100, kMostBytes);
  CHECK_FALSE(shredder.add(one.metadata, one.value, 0));
  CHECK(shredder.is_too_large());
  std::size_t bytes = 0;
  for (const ShreddedColumn& column : shredder.columns()) bytes += column.bytes();
  CHECK(bytes <= kMostBytes);
  shredder.clear();
  const Value small = number(1);
  CHECK(shredder.add(small.metadata, small.value, 0));
}

TEST_CASE("A Variant that breaks a rule is not written") {
  const FoundSchema found({number(1)});
  VariantShredder shredder(found.schema(), found.group(), 10);
  const Value one = number(1);
  const Bytes truncated(one.value.begin(), one.value.end() - 1);
  const WriteStatus added = shredder.add(one.metadata, truncated, 0);
  REQUIRE_FALSE(added);
  CHECK(added.error() == "the Variant breaks variant/value at $");
}

}  // namespace
}  // namespace parqproof
