#include "codec/write/shredder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/thrift/emitter.hpp"
#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using enum FieldRepetitionType;

SchemaElement named(std::string_view name, FieldRepetitionType repetition) {
  SchemaElement element;
  support::set(element, {SchemaElement::id_name, SchemaElement::id_repetition_type});
  element.name = {{reinterpret_cast<const std::uint8_t*>(name.data()), name.size()}, 0, Space::file};
  element.repetition_type = repetition;
  return element;
}

SchemaElement group(std::string_view name, FieldRepetitionType repetition, std::int32_t children) {
  SchemaElement element = named(name, repetition);
  support::set(element, {SchemaElement::id_num_children});
  element.num_children = children;
  return element;
}

SchemaElement number(std::string_view name, FieldRepetitionType repetition) {
  SchemaElement element = named(name, repetition);
  support::set(element, {SchemaElement::id_type});
  element.type = Type::INT32;
  return element;
}

/// The document of the paper that the format cites: links with lists, names with nested lists.
Schema document() {
  Schema schema;
  for (const SchemaElement& element :
       {group("document", REQUIRED, 3), number("id", REQUIRED), group("links", OPTIONAL, 2),
        number("backward", REPEATED), number("forward", REPEATED), group("name", REPEATED, 2),
        group("language", REPEATED, 2), number("code", REQUIRED), number("country", OPTIONAL),
        number("url", OPTIONAL)})
    schema.add(element);
  schema.finish();
  return schema;
}

std::vector<std::uint8_t> plain(std::int32_t value) {
  return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
          static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
}

/// "repetition definition value, ..." with - for an entry without a value.
std::string text_of(const ShreddedColumn& column, std::uint32_t max_definition) {
  const Entries entries = column.entries();
  std::string text;
  std::size_t value = 0;
  for (std::uint64_t i = 0; i < entries.count; ++i) {
    if (!text.empty()) text += ", ";
    text += std::to_string(entries.repetition[i]) + " " + std::to_string(entries.definition[i]) + " ";
    text += entries.definition[i] == max_definition ? std::to_string(entries.values.fixed[4 * value++]) : "-";
  }
  return text;
}

}  // namespace

TEST_CASE("the two documents of the Dremel paper have the levels of its figure") {
  const Schema schema = document();
  REQUIRE(schema.fault() == Schema::Fault::none);
  Shredder shredder(schema);
  const auto value = [&](std::int32_t number) { shredder.value(plain(number)); };
  const auto list = [&](std::initializer_list<std::int32_t> numbers) {
    shredder.begin_list();
    for (const std::int32_t number : numbers) value(number);
    shredder.end_list();
  };
  shredder.begin_row();
  value(10);
  shredder.begin_group();
  list({});
  list({20, 40, 60});
  shredder.end_group();
  shredder.begin_list();
  shredder.begin_group();  // a name with two languages and a url
  shredder.begin_list();
  for (const bool has_country : {true, false}) {
    shredder.begin_group();
    value(1);
    if (has_country) {
      value(7);
    } else {
      shredder.null();
    }
    shredder.end_group();
  }
  shredder.end_list();
  value(3);
  shredder.end_group();
  shredder.begin_group();  // without languages
  list({});
  value(4);
  shredder.end_group();
  shredder.begin_group();  // without a url
  shredder.begin_list();
  shredder.begin_group();
  value(2);
  value(8);
  shredder.end_group();
  shredder.end_list();
  shredder.null();
  shredder.end_group();
  shredder.end_list();
  REQUIRE(shredder.end_row());
  shredder.begin_row();
  value(11);
  shredder.begin_group();
  list({10, 30});
  list({80});
  shredder.end_group();
  shredder.begin_list();
  shredder.begin_group();
  list({});
  value(5);
  shredder.end_group();
  shredder.end_list();
  REQUIRE(shredder.end_row());

  const std::vector<ShreddedColumn>& columns = shredder.columns();
  CHECK(text_of(columns[0], 0) == "0 0 10, 0 0 11");
  CHECK(text_of(columns[1], 2) == "0 1 -, 0 2 10, 1 2 30");
  CHECK(text_of(columns[2], 2) == "0 2 20, 1 2 40, 1 2 60, 0 2 80");
  CHECK(text_of(columns[3], 2) == "0 2 1, 2 2 1, 1 1 -, 1 2 2, 0 1 -");
  CHECK(text_of(columns[4], 3) == "0 3 7, 2 2 -, 1 1 -, 1 3 8, 0 1 -");
  CHECK(text_of(columns[5], 2) == "0 2 3, 1 2 4, 1 1 -, 0 2 5");
  CHECK(shredder.rows() == 2);
}

TEST_CASE("a row that does not match the schema is refused") {
  const Schema schema = document();
  const auto why = [&](auto calls) {
    Shredder shredder(schema);
    shredder.begin_row();
    calls(shredder);
    const WriteStatus ended = shredder.end_row();
    return ended ? std::string() : ended.error();
  };
  CHECK(why([](Shredder&) {}) == "the row lacks fields");
  CHECK(why([](Shredder& to) { to.null(); }) == "a field that is not optional is null");
  CHECK(why([](Shredder& to) { to.begin_group(); }) == "a leaf is no group");
  CHECK(why([](Shredder& to) { to.begin_list(); }) == "a field that is not repeated is a list");
  CHECK(why([](Shredder& to) { to.end_list(); }) == "a list ends that has not begun");
  CHECK(why([](Shredder& to) {
          to.value(plain(1));
          to.value(plain(1));
        }) == "a group has a value");
  CHECK(why([](Shredder& to) {
          to.value(plain(1));
          to.begin_group();
          to.value(plain(1));
        }) == "a repeated field is no list");
  CHECK(why([](Shredder& to) {
          to.value(plain(1));
          to.null();
          to.begin_list();
        }) == "the row ends in a group or list");
}

}  // namespace parqproof
