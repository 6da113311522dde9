// The emitter: non-canonical forms, and lists built by hand.
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string_view>
#include <vector>

#include "codec/rules/rule.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"
#include "tests/support/structs.hpp"

namespace parqproof::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

View view(std::string_view text) {
  return {{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}};
}

KeyValue pair() {
  KeyValue out;
  out.fields.present = 1U << KeyValue::id_key | 1U << KeyValue::id_value;
  out.key = view("k");
  out.value = view("v");
  return out;
}

template <typename Struct>
Bytes emitted(const Struct& value, std::vector<thrift::FieldForm> forms = {}) {
  Bytes out;
  thrift::emit(value, out, forms);
  return out;
}

TEST_CASE("fields that are not present are not emitted", "[unit]") {
  KeyValue value = pair();
  CHECK(emitted(value) == Bytes{0x18, 1, 'k', 0x18, 1, 'v', 0});
  value.fields.present = 1U << KeyValue::id_value;
  CHECK(emitted(value) == Bytes{0x28, 1, 'v', 0});
}

TEST_CASE("another form changes only its own field", "[unit]") {
  CHECK(emitted(pair(), {{.path = "key", .long_header = true}}) == Bytes{0x08, 2, 1, 'k', 0x18, 1, 'v', 0});
  CHECK(emitted(pair(), {{.path = "value", .id_padding = 2}}) ==
        Bytes{0x18, 1, 'k', 0x08, 0x84, 0x80, 0, 1, 'v', 0});
  CHECK(emitted(pair(), {{.path = "value", .padding = 1}}) == Bytes{0x18, 1, 'k', 0x18, 0x81, 0, 'v', 0});
  CHECK(emitted(pair(), {{.path = "other", .padding = 1}}) == emitted(pair()));

  SizeStatistics sizes;
  thrift::ListBuilder<std::int64_t> counts;
  counts.add(-1);
  counts.add(64);
  sizes.fields.present = 1U << SizeStatistics::id_unencoded_byte_array_data_bytes |
                         1U << SizeStatistics::id_definition_level_histogram;
  sizes.definition_level_histogram = counts.list();
  CHECK(emitted(sizes) == Bytes{0x16, 0, 0x29, 0x26, 1, 0x80, 1, 0});
  CHECK(emitted(sizes, {{.path = "unencoded_byte_array_data_bytes", .padding = 10},
                        {.path = "definition_level_histogram", .padding = 1}}) ==
        Bytes{0x16, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
              0x80, 0,    0x29, 0xF6, 0x82, 0,    1,    0x80, 1,    0});
}

TEST_CASE("unknown fields are written before the stop byte of the named struct", "[unit]") {
  const Bytes unknown{0x85, 2};
  CHECK(emitted(pair(), {{.path = "", .unknown = unknown}}) == Bytes{0x18, 1, 'k', 0x18, 1, 'v', 0x85, 2, 0});
  TimestampType stamp;
  stamp.fields.present = 1U << TimestampType::id_isAdjustedToUTC | 1U << TimestampType::id_unit;
  stamp.unit.fields.present = 1U << TimeUnit::id_NANOS;
  CHECK(emitted(stamp) == Bytes{0x12, 0x1C, 0x3C, 0, 0, 0});
  CHECK(emitted(stamp, {{.path = "unit", .unknown = unknown}}) == Bytes{0x12, 0x1C, 0x3C, 0, 0x85, 2, 0, 0});
  CHECK(emitted(stamp,
                {{.path = "unit.NANOS", .long_header = true}, {.path = "unit.NANOS", .unknown = unknown}}) ==
        Bytes{0x12, 0x1C, 0x0C, 6, 0x85, 2, 0, 0, 0});
}

TEST_CASE("the reader reports each non-canonical form and reads the same values", "[unit]") {
  const Bytes bytes = emitted(pair(), {{.path = "key", .id_padding = 1}, {.path = "value", .padding = 3}});
  Findings findings(RuleSet{}.set());
  thrift::Reader reader({bytes}, {&findings, {}, {}}, kLimits);
  KeyValue read;
  REQUIRE(reader.read(read));
  CHECK(emitted(read) == emitted(pair()));
  std::vector<Rule> rules;
  for (const Finding& finding : findings.all()) rules.push_back(finding.rule);
  CHECK(rules == std::vector{Rule::thrift_varint_canonical, Rule::thrift_short_field_header,
                             Rule::thrift_varint_canonical});
}

TEST_CASE("field headers are short where they can be", "[unit]") {
  Bytes out;
  thrift::Emitter emitter(out);
  emitter.begin_struct();
  emitter.field_header(15, thrift::Wire::bool_true);
  emitter.field_header(31, thrift::Wire::i8);
  emitter.byte(7);
  emitter.field_header(30, thrift::Wire::struct_);
  emitter.begin_struct();
  emitter.field_header(1, thrift::Wire::bool_false);
  emitter.end_struct();
  emitter.field_header(31, thrift::Wire::double_);
  emitter.real(1.0);
  emitter.field_header(-16384, thrift::Wire::binary);
  emitter.binary({});
  emitter.end_struct();
  CHECK(out == Bytes{0xF1, 0x03, 62, 7,    0x0C, 60,   0x12, 0,    0x17, 0, 0, 0,
                     0,    0,    0,  0xF0, 0x3F, 0x08, 0xFF, 0xFF, 1,    0, 0});
}

TEST_CASE("numbers at their limits are emitted and read back", "[unit]") {
  Bytes out;
  thrift::Emitter emitter(out);
  emitter.integer(std::numeric_limits<std::int64_t>::min());
  CHECK(out == Bytes{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01});
  out.clear();
  emitter.varint(0);
  emitter.varint(127);
  emitter.varint(128);
  emitter.varint(0, 2);
  CHECK(out == Bytes{0, 0x7F, 0x80, 1, 0x80, 0x80, 0});
}

template <typename T>
thrift::List list_of(thrift::ListBuilder<T>& builder, std::initializer_list<T> values) {
  for (const T& value : values) builder.add(value);
  return builder.list();
}

Bytes bytes_of(const thrift::List& list) { return {list.bytes.bytes.begin(), list.bytes.bytes.end()}; }

TEST_CASE("lists of every element type of the format can be built", "[unit]") {
  thrift::ListBuilder<bool> flags;
  const thrift::List booleans = list_of(flags, {true, false});
  CHECK(booleans.element == thrift::Wire::bool_true);
  CHECK(booleans.count == 2);
  CHECK(bytes_of(booleans) == Bytes{1, 2});

  thrift::ListBuilder<Encoding> encodings;
  const thrift::List enums = list_of(encodings, {Encoding::RLE, Encoding::ALP});
  CHECK(enums.element == thrift::Wire::i32);
  CHECK(bytes_of(enums) == Bytes{6, 20});

  thrift::ListBuilder<std::int32_t> types;
  CHECK(list_of(types, {-1}).element == thrift::Wire::i32);
  thrift::ListBuilder<std::int64_t> counts;
  CHECK(list_of<std::int64_t>(counts, {300}).element == thrift::Wire::i64);
  CHECK(bytes_of(counts.list()) == Bytes{0xD8, 4});

  thrift::ListBuilder<std::string_view> names;
  const thrift::List strings = list_of<std::string_view>(names, {"a", ""});
  CHECK(strings.element == thrift::Wire::binary);
  CHECK(bytes_of(strings) == Bytes{1, 'a', 0});

  thrift::ListBuilder<View> bounds;
  const Bytes bound{0xFF, 0x00};
  bounds.add({bound});
  CHECK(bytes_of(bounds.list()) == Bytes{2, 0xFF, 0x00});

  thrift::ListBuilder<KeyValue> pairs;
  pairs.add(pair());
  const std::vector<thrift::FieldForm> padded{{.path = "key", .padding = 1}};
  pairs.add(pair(), padded);
  CHECK(pairs.list().element == thrift::Wire::struct_);
  CHECK(pairs.list().count == 2);
  CHECK(bytes_of(pairs.list()) == Bytes{0x18, 1, 'k', 0x18, 1, 'v', 0, 0x18, 0x81, 0, 'k', 0x18, 1, 'v', 0});
}

TEST_CASE("list sizes up to 14 are in the first byte", "[unit]") {
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{14}, std::uint64_t{15}, std::uint64_t{200}}) {
    SizeStatistics sizes;
    sizes.fields.present = 1U << SizeStatistics::id_repetition_level_histogram;
    thrift::ListBuilder<std::int64_t> counts;
    for (std::uint64_t i = 0; i < count; ++i) counts.add(0);
    sizes.repetition_level_histogram = counts.list();
    const Bytes bytes = emitted(sizes);
    CHECK(bytes.size() == 3 + count + (count < 15 ? 0 : count < 128 ? 1 : 2));
    CHECK(bytes[1] == (count < 15 ? count << 4 | 6 : 0xF6));
    thrift::Reader reader({bytes}, {}, kLimits);
    SizeStatistics read;
    REQUIRE(reader.read(read));
    CHECK(reader.faults() == 0);
    CHECK(read.repetition_level_histogram.count == count);
  }
}

TEST_CASE("an empty list keeps its declared element type", "[unit]") {
  OffsetIndex index;
  index.fields.present = 1U << OffsetIndex::id_page_locations;
  CHECK(emitted(index) == Bytes{0x19, 0x0C, 0});
}

}  // namespace
}  // namespace parqproof::test
