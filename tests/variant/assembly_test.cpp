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
  const std::uint8_t* entry(std::size_t leaf) const override {
    if (!has_dictionaries) return nullptr;
    return std::ranges::find(entries_[leaf], entries_[leaf][at_[leaf]].value, &Entry::value)->value.data();
  }
  bool advance(std::size_t leaf) override {
    if (at_end(leaf)) return false;
    ++at_[leaf];
    return true;
  }
  bool at_end(std::size_t leaf) const { return at_[leaf] == entries_[leaf].size(); }

  bool has_dictionaries = false;  ///< equal values of a column are one entry

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

/// Counts violations and the bytes that are judged.
class Counting : public variant::RowFaults {
 public:
  bool count(Rule rule) override { return wants(rule) && ++violations[std::string(info(rule).id)] == 1; }
  void describe(variant::Fault) override {}
  bool wants(Rule rule) const override { return info(rule).severity != Severity::info; }
  void at_column(std::size_t) override {}
  void at_levels(std::size_t) override {}
  bool afford(std::uint64_t bytes) override { return (spent += bytes) <= most; }

  std::map<std::string, int> violations;
  std::uint64_t spent = 0;
  std::uint64_t most = 1000;
};

/// Rows of a measurement that alternate between two metadata and two values, one of them without its data.
std::vector<std::vector<Entry>> alternating(int rows) {
  std::vector<std::vector<Entry>> entries(3);
  for (int row = 0; row < rows; ++row) {
    entries[0].push_back({0, 1, row % 2 == 0 ? kNone : kNames});
    entries[1].push_back({0, 2, row % 2 == 0 ? from_hex("0C 05") : Bytes{0x0C}});
    entries[2].push_back({0, 1});
  }
  return entries;
}

std::pair<variant::AssemblyEnd, int> read_all(const Schema& schema, Memory& columns,
                                              variant::RowFaults& faults) {
  const std::optional<variant::Group> group = variant::find_group(schema, 1, [](auto&&...) {});
  REQUIRE(group);
  variant::Assembly assembly(*group, 100);
  int rows = 0;
  for (; !columns.at_end(group->metadata); ++rows) {
    const variant::AssemblyEnd end = assembly.read(columns, faults, nullptr);
    if (end == variant::AssemblyEnd::too_much_work) return {end, rows};
  }
  return {variant::AssemblyEnd::complete, rows};
}

TEST_CASE("entries of dictionaries are judged once, and their violations counted in each row") {
  const Schema schema = measurement();
  for (const bool has_dictionaries : {false, true}) {
    Memory columns(alternating(100));
    columns.has_dictionaries = has_dictionaries;
    Counting faults;
    CHECK(read_all(schema, columns, faults) == std::pair(variant::AssemblyEnd::complete, 100));
    CHECK(faults.violations == std::map<std::string, int>{{"variant/value", 50}});
    CHECK(faults.spent == 0);  // each was read once
  }
}

TEST_CASE("the assembly ends where the entries of dictionaries take too much work") {
  const Schema schema = measurement();
  std::vector<std::vector<Entry>> entries = alternating(100);
  for (Entry& value : entries[1]) value.value = from_hex("0C 05");
  Memory columns(entries);
  columns.has_dictionaries = true;
  Counting faults;
  faults.most = 1;
  CHECK(read_all(schema, columns, faults) == std::pair(variant::AssemblyEnd::too_much_work, 1));
}

TEST_CASE("a value of a dictionary is judged once under metadata that differ in their names alone") {
  const Schema schema = measurement();
  std::vector<std::vector<Entry>> entries(3);
  for (int row = 0; row < 26; ++row) {
    entries[0].push_back({0, 1, Bytes{0x11, 0x01, 0x00, 0x01, static_cast<std::uint8_t>('a' + row)}});
    entries[1].push_back({0, 2, from_hex("02 01 00 00 01 00")});  // {id 0: null}
    entries[2].push_back({0, 1});
  }
  Memory columns(entries);
  columns.has_dictionaries = true;
  Counting faults;
  faults.most = 0;
  CHECK(read_all(schema, columns, faults) == std::pair(variant::AssemblyEnd::complete, 26));
  CHECK(faults.violations.empty());
}

/// Wants advice, and adds up the bytes of which variant/wide speaks.
class Advised final : public Counting {
 public:
  bool wants(Rule) const override { return true; }
  void add(Rule rule, std::uint64_t found, std::uint64_t) override {
    if (rule == Rule::variant_wide) bytes += found;
  }

  std::uint64_t bytes = 0;
};

TEST_CASE("advice counts the names of each row, and the bytes of entries of dictionaries once") {
  const Schema schema = measurement();
  // {a: null}, {b: null, c: null}, {a: null, b: null, c: null}
  const Bytes objects[] = {from_hex("02 01 00 00 01 00"), from_hex("02 02 01 02 00 01 02 00 00"),
                           from_hex("02 03 00 01 02 00 01 02 03 00 00 00")};
  for (const bool has_dictionaries : {false, true}) {
    std::vector<std::vector<Entry>> entries(3);
    for (std::size_t row = 0; row < 30; ++row) {
      entries[0].push_back({0, 1, kNames});
      entries[1].push_back({0, 2, objects[row % 3]});
      entries[2].push_back({0, 1});
    }
    Memory columns(entries);
    columns.has_dictionaries = has_dictionaries;
    Advised faults;
    CHECK(read_all(schema, columns, faults).first == variant::AssemblyEnd::complete);
    CHECK(faults.violations["variant/unused-name"] == 20);
    const std::uint64_t once = 6 + 9 + 12;
    CHECK(faults.bytes == (has_dictionaries ? once + kNames.size() : 10 * once + 30 * kNames.size()));
  }
}

TEST_CASE("a value of a dictionary is judged again under another metadata") {
  const Schema schema = measurement();
  const Bytes object = from_hex("02 01 02 00 01 00");  // {id 2: null}
  std::vector<std::vector<Entry>> entries(3);
  for (int row = 0; row < 4; ++row) {
    entries[0].push_back({0, 1, row % 2 == 0 ? kNames : kNone});
    entries[1].push_back({0, 2, object});
    entries[2].push_back({0, 1});
  }
  Memory columns(entries);
  columns.has_dictionaries = true;
  Counting faults;
  CHECK(read_all(schema, columns, faults).first == variant::AssemblyEnd::complete);
  CHECK(faults.violations == std::map<std::string, int>{{"variant/field-id", 2}});
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
