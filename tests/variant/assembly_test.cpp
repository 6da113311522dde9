// Values that are put together from columns in memory: the tables of VariantShredding.md, and rows that break
// its rules.
#include "codec/variant/assembly.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/report/variant_json.hpp"
#include "tests/variant/variant_support.hpp"

namespace parqproof {
namespace {

using Id = SchemaElement::Id;
using enum FieldRepetitionType;

void set(SchemaElement& element, Id id) { element.fields.present |= 1U << id; }

/// A schema in the order of its elements; names belong to the caller.
class SchemaMaker {
 public:
  SchemaMaker() { add("root", REQUIRED, 1); }

  SchemaMaker& group(std::string_view name, FieldRepetitionType repetition, std::int32_t children,
                     LogicalKind kind = LogicalKind::none) {
    SchemaElement& element = add(name, repetition, children);
    if (kind != LogicalKind::none) {
      set(element, Id::id_logicalType);
      element.logicalType.fields.present |= 1U << static_cast<unsigned>(kind);
    }
    return *this;
  }
  SchemaMaker& leaf(std::string_view name, FieldRepetitionType repetition, Type type) {
    SchemaElement& element = add(name, repetition, 0);
    element.type = type;
    set(element, Id::id_type);
    return *this;
  }
  Schema make() {
    Schema schema;
    for (const SchemaElement& element : elements_) schema.add(element);
    schema.finish();
    REQUIRE(schema.fault() == Schema::Fault::none);
    return schema;
  }

 private:
  SchemaElement& add(std::string_view name, FieldRepetitionType repetition, std::int32_t children) {
    SchemaElement& element = elements_.emplace_back();
    element.name = {{reinterpret_cast<const std::uint8_t*>(name.data()), name.size()}};
    set(element, Id::id_name);
    element.repetition_type = repetition;
    set(element, Id::id_repetition_type);
    if (children != 0) {
      element.num_children = children;
      set(element, Id::id_num_children);
    }
    return element;
  }

  std::vector<SchemaElement> elements_;
};

struct Entry {
  std::uint32_t repetition = 0;
  std::uint32_t definition = 0;
  Bytes value = {};
};

/// Columns in memory, by the ordinal of the leaf.
class Memory final : public variant::Columns {
 public:
  explicit Memory(std::vector<std::vector<Entry>> entries)
      : entries_(std::move(entries)), at_(entries_.size()) {}

  std::uint32_t repetition(std::size_t leaf) const override {
    return at_end(leaf) ? 0 : entries_[leaf][at_[leaf]].repetition;
  }
  std::uint32_t definition(std::size_t leaf) const override {
    return at_end(leaf) ? 0 : entries_[leaf][at_[leaf]].definition;
  }
  View value(std::size_t leaf) const override { return {entries_[leaf][at_[leaf]].value}; }
  bool advance(std::size_t leaf) override {
    if (at_end(leaf)) return false;
    ++at_[leaf];
    return true;
  }
  bool at_end(std::size_t leaf) const { return at_[leaf] == entries_[leaf].size(); }

 private:
  std::vector<std::vector<Entry>> entries_;
  std::vector<std::size_t> at_;
};

/// The values of all rows as JSON, and the rules that they break.
struct Rows {
  std::vector<std::string> values;
  std::vector<std::string> rules;
};

Rows read(const Schema& schema, std::vector<std::vector<Entry>> entries) {
  Rows rows;
  const auto fault = [&](Rule rule, std::uint32_t, std::string_view, const Contrast&) {
    rows.rules.emplace_back(info(rule).id);
  };
  const std::optional<variant::Group> group = variant::find_group(schema, 1, fault);
  REQUIRE(group);
  Memory columns(std::move(entries));
  variant::Assembly assembly(*group, 100);
  Collected faults;
  while (!columns.at_end(group->metadata)) {
    if (!assembly.is_present(columns)) {
      CHECK(assembly.skip(columns) == variant::AssemblyEnd::complete);
      rows.values.emplace_back("absent");
      continue;
    }
    variant::Builder builder;
    REQUIRE(assembly.read(columns, faults, &builder) == variant::AssemblyEnd::complete);
    Bytes metadata;
    Bytes value;
    CHECK(builder.finish(metadata, value));
    variant::Metadata names;
    variant::NoFaults ignored;
    names.read({metadata}, ignored);
    std::string text;
    CHECK(VariantJson(VariantForm::plain, 100).append(text, names, value, 10'000));
    rows.values.push_back(text);
  }
  for (std::size_t leaf = group->first; leaf < group->last; ++leaf) CHECK(columns.at_end(leaf));
  for (const Violation& one : faults.all) rows.rules.push_back(std::get<0>(one) + " " + std::get<3>(one));
  return rows;
}

using Texts = std::vector<std::string>;

Schema measurement() {
  return SchemaMaker()
      .group("v", OPTIONAL, 3, LogicalKind::VARIANT)
      .leaf("metadata", REQUIRED, Type::BYTE_ARRAY)
      .leaf("value", OPTIONAL, Type::BYTE_ARRAY)
      .leaf("typed_value", OPTIONAL, Type::INT64)
      .make();
}

Schema event() {
  return SchemaMaker()
      .group("v", OPTIONAL, 3, LogicalKind::VARIANT)
      .leaf("metadata", REQUIRED, Type::BYTE_ARRAY)
      .leaf("value", OPTIONAL, Type::BYTE_ARRAY)
      .group("typed_value", OPTIONAL, 1)
      .group("b", REQUIRED, 2)
      .leaf("value", OPTIONAL, Type::BYTE_ARRAY)
      .leaf("typed_value", OPTIONAL, Type::INT32)
      .make();
}

Schema tags() {
  return SchemaMaker()
      .group("v", OPTIONAL, 3, LogicalKind::VARIANT)
      .leaf("metadata", REQUIRED, Type::BYTE_ARRAY)
      .leaf("value", OPTIONAL, Type::BYTE_ARRAY)
      .group("typed_value", OPTIONAL, 1, LogicalKind::LIST)
      .group("list", REPEATED, 1)
      .group("element", REQUIRED, 2)
      .leaf("value", OPTIONAL, Type::BYTE_ARRAY)
      .leaf("typed_value", OPTIONAL, Type::INT32)
      .make();
}

const Bytes kNone = from_hex("01 00 00");
const Bytes kNames = from_hex("11 03 00 01 02 03 61 62 63");  // a, b, c
const Bytes kNull{0x00};
const Bytes kText = from_hex("05 78");
Entry metadata(const Bytes& bytes = kNone) { return {0, 1, bytes}; }

}  // namespace

TEST_CASE("a value is in one of its two columns") {
  const Rows rows = read(measurement(), {{metadata(), metadata(), metadata(), {0, 0}},
                                         {{0, 1}, {0, 2, kNull}, {0, 2, kText}, {0, 0}},
                                         {{0, 2, from_hex("2200000000000000")}, {0, 1}, {0, 1}, {0, 0}}});
  CHECK(rows.values == Texts{"34", "null", R"("x")", "absent"});
  CHECK(rows.rules == Texts{});
}

TEST_CASE("a value in both columns, and one in none, break rules") {
  const Rows rows = read(
      measurement(),
      {{metadata(), metadata()}, {{0, 2, kText}, {0, 1}}, {{0, 2, from_hex("2200000000000000")}, {0, 1}}});
  CHECK(rows.values == Texts{"34", "null"});
  CHECK(rows.rules == Texts{"shredding/conflict $", "shredding/missing $"});
}

TEST_CASE("the fields of an object come from value and from columns, sorted by name") {
  const Bytes residue = from_hex("02 02 00 02 00 01 02 04 08");  // a: true, c: false
  const Rows rows = read(event(), {{metadata(kNames), metadata(kNames), metadata(kNames), metadata(kNames)},
                                   {{0, 2, residue}, {0, 1}, {0, 1}, {0, 2, kText}},
                                   {{0, 2}, {0, 3, kNull}, {0, 2}, {0, 1}},
                                   {{0, 3, from_hex("07000000")}, {0, 2}, {0, 2}, {0, 1}}});
  CHECK(rows.values == Texts{R"({"a":true,"b":7,"c":false})", R"({"b":null})", "{}", R"("x")"});
  CHECK(rows.rules == Texts{});
}

TEST_CASE("the invalid rows of the table of events break their rules") {
  const Bytes has_b = from_hex("02 01 01 00 01 04");  // b: true
  const Rows rows =
      read(event(), {{metadata(kNames), metadata(kNames), metadata(kNames), metadata()},
                     {{0, 2, has_b}, {0, 2, has_b}, {0, 2, kText}, {0, 1}},
                     {{0, 2}, {0, 1}, {0, 2}, {0, 2}},
                     {{0, 3, from_hex("07000000")}, {0, 1}, {0, 2}, {0, 3, from_hex("01000000")}}});
  CHECK(rows.values == Texts{R"({"b":7})", R"({"b":true})", "{}", R"({"b":1})"});
  CHECK(rows.rules == Texts{"shredding/disjoint-fields $", "shredding/object-not-typed $",
                            "shredding/conflict $", "shredding/name "});
}

TEST_CASE("the elements of an array are in a LIST") {
  const Bytes array = from_hex("03 01 00 01 00");
  const Rows rows = read(tags(), {{metadata(), metadata(), metadata(), metadata()},
                                  {{0, 1}, {0, 1}, {0, 2, kNull}, {0, 2, array}},
                                  {{0, 3}, {1, 4, kText}, {1, 3}, {0, 2}, {0, 1}, {0, 1}},
                                  {{0, 4, from_hex("01000000")}, {1, 3}, {1, 3}, {0, 2}, {0, 1}, {0, 1}}});
  CHECK(rows.values == Texts{R"([1,"x",null])", "[]", "null", "[null]"});
  CHECK(rows.rules == Texts{"shredding/missing $[2]", "shredding/array-not-typed $"});
}

TEST_CASE("columns with lists of different lengths end the assembly") {
  const Schema schema = tags();
  const std::optional<variant::Group> group = variant::find_group(schema, 1, [](auto&&...) {});
  REQUIRE(group);
  Memory columns({{metadata()}, {{0, 1}}, {{0, 3}, {1, 4, kText}}, {{0, 4, from_hex("01000000")}}});
  variant::Assembly assembly(*group, 100);
  Collected faults;
  CHECK(assembly.read(columns, faults, nullptr) == variant::AssemblyEnd::disagree);
}

}  // namespace parqproof
