// The strict reader: every thrift rule with its bytes, its path, and whether the walk continues.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/report/words/wording.hpp"
#include "fuzz/memory.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/structs.hpp"

namespace parqproof::test {
namespace {

using support::Bytes, support::operator+;
using Lines = std::vector<std::string>;

constexpr Place kPlace{3, -1, 4};  // findings without a column are not folded

/// The rules whose violation makes the content of a struct ambiguous.
constexpr std::array<std::string_view, 13> kInDoubt{
    "extension/field-type",   "thrift/binary-length", "thrift/bool-list-value",   "thrift/compact-protocol",
    "thrift/duplicate-field", "thrift/field-type",    "thrift/list-element-type", "thrift/list-size",
    "thrift/required-field",  "thrift/stop-byte",     "thrift/string-utf8",       "thrift/union-exactly-one",
    "thrift/varint-overflow"};

Bytes operator""_b(const char* digits, std::size_t size) { return support::hex({digits, size}); }

/// Findings as lines `rule offset+length path`, in the order in which they were met; offsets count from the
/// first byte read.
Lines lines(const Findings& findings, std::uint64_t base) {
  Lines out;
  for (const Finding& finding : findings.all()) {
    out.push_back(std::string(info(finding.rule).id) + " " + std::to_string(finding.offset - base) + "+" +
                  std::to_string(finding.length) + (finding.field.empty() ? "" : " " + finding.field));
  }
  return out;
}

template <typename Struct>
struct Outcome {
  Bytes bytes;  // what the views of `value` point into
  Struct value;
  bool intact = false;
  std::size_t rest = 0;
  Lines found;
  std::vector<std::array<std::string, 2>> said;
};

template <typename Struct>
Outcome<Struct> read(Bytes input, std::string_view prefix = {}) {
  constexpr std::uint64_t kFar = 1'000'000;
  Outcome<Struct> out;
  out.bytes = std::move(input);
  const View bytes{out.bytes, kFar};
  Findings findings(RuleSet{}.set());
  thrift::Reader reader(bytes, {&findings, kPlace, prefix}, kLimits);
  out.intact = reader.read(out.value);
  out.rest = reader.rest().size();
  out.found = lines(findings, kFar);
  for (const Finding& finding : findings.all()) {
    REQUIRE(finding.place == kPlace);
    out.said.push_back({plain_text(finding.found), plain_text(finding.expected)});
  }
  // Without findings the reader reads the same and counts the same faults.
  thrift::Reader quiet(bytes, {}, kLimits);
  Struct again;
  REQUIRE(quiet.read(again) == out.intact);
  REQUIRE(quiet.faults() == reader.faults());
  REQUIRE(quiet.sound() == reader.sound());
  REQUIRE(reader.sound() == std::ranges::none_of(findings.all(), [](const Finding& finding) {
            return std::ranges::find(kInDoubt, info(finding.rule).id) != kInDoubt.end();
          }));
  REQUIRE(again.fields.present == out.value.fields.present);
  REQUIRE(again.fields.faulty == out.value.fields.faulty);
  return out;
}

std::string text(View view) { return {reinterpret_cast<const char*>(view.data()), view.size()}; }

#define CHECK_READ(outcome, goes_on, ...)         \
  do {                                            \
    CHECK((outcome).found == Lines{__VA_ARGS__}); \
    CHECK((outcome).intact == (goes_on));         \
  } while (false)

TEST_CASE("a legal struct breaks no rule and has its extent", "[unit]") {
  const auto pair = read<KeyValue>("18 01 6B 18 01 76 00 99"_b);
  CHECK_READ(pair, true);
  CHECK(pair.rest == 1);
  CHECK(text(pair.value.key) == "k");
  CHECK(text(pair.value.value) == "v");
  CHECK(pair.value.key.base == 1'000'002);
  CHECK(pair.value.fields.offset == 1'000'000);
  CHECK(pair.value.fields.end == 1'000'007);
}

TEST_CASE("an undefined type ends the walk", "[unit][thrift/compact-protocol]") {
  const auto field = read<KeyValue>("18 01 6B 1E 00"_b);
  CHECK_READ(field, false, "thrift/compact-protocol 3+1");
  CHECK(field.value.has(KeyValue::id_key));
  CHECK_READ(read<KeyValue>("18 01 6B 10 00"_b), false, "thrift/compact-protocol 3+1");
  CHECK_READ(read<KeyValue>("18 01 6B 0F 02 00"_b, "column_index"), false,
             "thrift/compact-protocol 3+1 column_index");
  const auto list = read<SizeStatistics>("29 1F 00 00"_b);
  CHECK_READ(list, false, "thrift/compact-protocol 1+1 repetition_level_histogram");
  CHECK(list.value.fields.mentions(SizeStatistics::id_repetition_level_histogram));
  CHECK_FALSE(list.value.has(SizeStatistics::id_repetition_level_histogram));
  CHECK_READ(read<SizeStatistics>("29 10 00 00"_b), false,
             "thrift/compact-protocol 1+1 repetition_level_histogram");
  CHECK_READ(read<KeyValue>("18 01 6B 8B 01 5E 02 02 00"_b), false, "thrift/compact-protocol 5+1 9");
  CHECK_READ(read<KeyValue>("18 01 6B 8B 01 05 02 02 00"_b), false, "thrift/compact-protocol 5+1 9");
}

TEST_CASE("an empty list may have any element type", "[unit][thrift/compact-protocol]") {
  for (unsigned type = 0; type < 16; ++type) {
    const Bytes bytes{0x29, static_cast<std::uint8_t>(type), 0x00};
    const auto list = read<SizeStatistics>(bytes);
    CHECK_READ(list, true);
    CHECK(list.value.has(SizeStatistics::id_repetition_level_histogram));
    CHECK(list.value.repetition_level_histogram.count == 0);
  }
}

TEST_CASE("truncated structs are reported at the truncated field, or where the stop byte is missing",
          "[unit][thrift/stop-byte]") {
  CHECK_READ(read<KeyValue>(""_b), false, "thrift/stop-byte 0+0");
  const auto stop = read<KeyValue>("18 01 6B"_b);
  CHECK_READ(stop, false, "thrift/stop-byte 3+0");
  CHECK(text(stop.value.key) == "k");
  const auto number = read<PageLocation>("16 02 15 80"_b);
  CHECK_READ(number, false, "thrift/stop-byte 2+2 compressed_page_size");
  CHECK(number.said[0] == std::array<std::string, 2>{"1 byte", "the rest of a number"});
  CHECK_READ(read<PageLocation>("16"_b), false, "thrift/stop-byte 0+1 offset");
  CHECK_READ(read<KeyValue>("18 01 6B 08 80"_b), false, "thrift/stop-byte 3+2");
  CHECK_READ(read<KeyValue>("18 80"_b), false, "thrift/stop-byte 0+2 key");
  CHECK_READ(read<BoundingBox>("17 00 00"_b), false, "thrift/stop-byte 0+3 xmin");
  CHECK_READ(read<IntType>("13"_b), false, "thrift/stop-byte 0+1 bitWidth");
  CHECK_READ(read<SizeStatistics>("29"_b), false, "thrift/stop-byte 0+1 repetition_level_histogram");
  CHECK_READ(read<SizeStatistics>("29 F6 80"_b), false, "thrift/stop-byte 0+3 repetition_level_histogram");
  CHECK_READ(read<SizeStatistics>("29 26 02 80"_b), false,
             "thrift/stop-byte 0+4 repetition_level_histogram[1]");
  CHECK_READ(read<TimestampType>("11 1C 1C"_b), false, "thrift/stop-byte 3+0 unit.MILLIS");
  CHECK_READ(read<OffsetIndex>("19 1C 16 80"_b), false, "thrift/stop-byte 2+2 page_locations[0].offset");
  CHECK_READ(read<OffsetIndex>("19 2C 16 02 15 02 16 00 00"_b), false,
             "thrift/stop-byte 9+0 page_locations[1]");
  // In what is skipped: an unknown i8, double, list, map, and a struct inside.
  CHECK_READ(read<Statistics>("A3"_b), false, "thrift/stop-byte 0+1 10");
  CHECK_READ(read<Statistics>("A7 00"_b), false, "thrift/stop-byte 0+2 10");
  CHECK_READ(read<Statistics>("A9 26 02 80"_b), false, "thrift/stop-byte 0+4 10");
  CHECK_READ(read<Statistics>("AB 01"_b), false, "thrift/stop-byte 0+2 10");
  CHECK_READ(read<Statistics>("AC 15 80"_b), false, "thrift/stop-byte 1+2 10.1");
}

TEST_CASE("an absent required field is reported at its struct, and everything else is read",
          "[unit][thrift/required-field]") {
  const auto middle = read<PageLocation>("16 02 26 04 00"_b);
  CHECK_READ(middle, true, "thrift/required-field 0+5 compressed_page_size");
  CHECK(middle.value.first_row_index == 2);
  // A struct that lacks several is reported once.
  const auto empty = read<PageLocation>("00"_b);
  CHECK_READ(empty, true, "thrift/required-field 0+1 offset");
  CHECK(empty.said[0][1] == "offset, compressed_page_size, first_row_index");
  CHECK_READ(read<OffsetIndex>("19 2C 16 02 15 02 16 00 00 16 02 15 02 00 00"_b, "offset_index"), true,
             "thrift/required-field 9+5 offset_index.page_locations[1].first_row_index");
}

TEST_CASE("a field of another type is skipped; it counts as present, but not as read",
          "[unit][thrift/field-type][thrift/optional-field-type]") {
  const auto column = read<SortingColumn>("16 02 11 11 00"_b);
  CHECK_READ(column, true, "thrift/field-type 0+1 column_idx");
  CHECK(column.said[0] == std::array<std::string, 2>{"i64", "i32"});
  CHECK(column.value.fields.mentions(SortingColumn::id_column_idx));
  CHECK_FALSE(column.value.has(SortingColumn::id_column_idx));
  CHECK(column.value.nulls_first);
  CHECK_READ(read<SortingColumn>("15 02 13 00 11 00"_b), true, "thrift/field-type 2+1 descending");
  // Containers and structs are skipped entirely, booleans in a list by a byte each.
  CHECK_READ(read<KeyValue>("19 31 01 02 01 18 01 76 00"_b), true, "thrift/field-type 0+1 key");
  CHECK_READ(read<KeyValue>("1A 15 02 18 01 76 00"_b), true, "thrift/field-type 0+1 key");
  CHECK_READ(read<KeyValue>("1B 02 18 01 01 61 02 01 62 18 01 76 00"_b), true, "thrift/field-type 0+1 key");
  CHECK_READ(read<KeyValue>("1B 00 18 01 76 00"_b), true, "thrift/field-type 0+1 key");
  CHECK_READ(read<KeyValue>("1C 15 02 18 01 61 00 18 01 76 00"_b), true, "thrift/field-type 0+1 key");
  // A set is no list.
  CHECK_READ(read<SizeStatistics>("2A 16 02 00"_b), true,
             "thrift/optional-field-type 0+1 repetition_level_histogram");
  // Two fields of other types do not yet mean that the bytes are misread; three do.
  const auto two = read<Statistics>("35 02 15 02 00"_b);
  CHECK_READ(two, true, "thrift/optional-field-type 0+1 null_count",
             "thrift/optional-field-type 2+1 distinct_count");
  CHECK_FALSE(two.value.fields.misread);
  const auto three = read<Statistics>("35 02 15 02 15 02 00"_b);
  CHECK_READ(three, true, "thrift/field-type 0+1 null_count");
  CHECK(three.value.fields.misread);
}

TEST_CASE("of misread bytes only the first fault is reported",
          "[unit][thrift/field-type][thrift/required-field][thrift/compact-protocol]") {
  // A number that swallows the next header: an i64 instead of a binary, then no expected field.
  const auto location = read<PageLocation>("15 02 16 04 00"_b);
  CHECK_READ(location, true, "thrift/field-type 0+1 offset");
  CHECK(location.value.fields.misread);
  CHECK_FALSE(location.value.has(PageLocation::id_compressed_page_size));
  // Values before the first fault are read.
  const auto later = read<PageLocation>("16 02 18 01 78 1E"_b);
  CHECK_READ(later, false, "thrift/field-type 2+1 compressed_page_size");
  CHECK(later.value.offset == 1);
  // A struct that ends too early, and the next one, whose bytes are the rest of the first.
  CHECK_READ(read<OffsetIndex>("19 2C 16 02 00 15 02 16 00 00 00"_b), true,
             "thrift/required-field 2+3 page_locations[0].compressed_page_size");
  // The same fault in struct after struct is reported for each; so is one after a struct without a fault.
  CHECK_READ(read<OffsetIndex>("19 2C 16 02 26 00 00 16 02 26 00 00 00"_b), true,
             "thrift/required-field 2+5 page_locations[0].compressed_page_size",
             "thrift/required-field 7+5 page_locations[1].compressed_page_size");
  CHECK_READ(read<OffsetIndex>("19 3C 16 02 00 16 02 15 02 16 00 00 16 02 15 02 00 00"_b), true,
             "thrift/required-field 2+3 page_locations[0].compressed_page_size",
             "thrift/required-field 12+5 page_locations[2].first_row_index");
  // An unknown field is a duplicate finding after a required field of another type; one after an optional
  // field is not.
  CHECK_READ(read<SortingColumn>("16 02 11 11 65 02 00"_b), true, "thrift/field-type 0+1 column_idx");
  CHECK_READ(read<Statistics>("35 02 75 02 00"_b), true, "thrift/optional-field-type 0+1 null_count",
             "thrift/unknown-field 2+1 10");
}

TEST_CASE("of a repeated field the first is kept", "[unit][thrift/duplicate-field]") {
  const auto pair = read<KeyValue>("18 01 6B 08 02 01 78 18 01 76 00"_b);
  CHECK_READ(pair, true, "thrift/duplicate-field 3+2 key");
  CHECK(text(pair.value.key) == "k");
  CHECK(text(pair.value.value) == "v");
  // Also where the first could not be read, and where the second has another type.
  CHECK_READ(read<KeyValue>("15 02 08 02 01 78 00"_b), true, "thrift/field-type 0+1 key");
  CHECK_READ(read<KeyValue>("18 01 6B 05 02 02 00"_b), true, "thrift/duplicate-field 3+2 key");
  // Unknown fields, and the extension field.
  CHECK_READ(read<KeyValue>("18 01 6B 85 02 15 02 05 12 04 00"_b), true, "thrift/unknown-field 3+1 9",
             "thrift/unknown-field 5+1 10", "thrift/field-order 7+2 9", "thrift/duplicate-field 7+2 9");
  CHECK_READ(read<KeyValue>("18 01 6B 08 FE FF 03 00 08 FE FF 03 00 00"_b), true,
             "extension/present 3+4 32767", "extension/disambiguation 7+1 32767",
             "thrift/duplicate-field 8+4 32767");
}

TEST_CASE("descending ids are read nevertheless", "[unit][thrift/field-order]") {
  const auto pair = read<KeyValue>("28 01 76 08 02 01 6B 00"_b);
  CHECK_READ(pair, true, "thrift/field-order 3+2 key");
  CHECK(text(pair.value.key) == "k");
}

TEST_CASE("a long header where a short one suffices is noted", "[unit][thrift/short-field-header]") {
  CHECK_READ(read<KeyValue>("08 02 01 6B 00"_b), true, "thrift/short-field-header 0+2 key");
  CHECK_READ(read<KeyValue>("18 01 6B 05 20 02 00"_b), true, "thrift/short-field-header 3+2 16",
             "thrift/unknown-field 3+2 16");
  CHECK_READ(read<KeyValue>("18 01 6B 05 22 02 00"_b), true, "thrift/unknown-field 3+2 17");
}

TEST_CASE("booleans with long headers have the value of their type", "[unit][thrift/short-field-header]") {
  for (const bool descending : {true, false}) {
    Bytes bytes = "15 02 02 04 01 06 00"_b;
    if (descending) std::swap(bytes[2], bytes[4]);
    const auto column = read<SortingColumn>(bytes);
    CHECK(column.value.descending == descending);
    CHECK(column.value.nulls_first == !descending);
  }
}

TEST_CASE("field ids are 1 to 32767", "[unit][thrift/field-id]") {
  CHECK_READ(read<KeyValue>("18 01 6B 05 00 02 00"_b), true, "thrift/field-id 3+2 0");
  CHECK_READ(read<KeyValue>("18 01 6B 05 09 02 00"_b), true, "thrift/field-id 3+2 -5");
  CHECK_READ(read<KeyValue>("18 01 6B 05 FF FF 03 02 00"_b), true, "thrift/field-id 3+4 -32768");
  CHECK_READ(read<KeyValue>("18 01 6B 05 FC FF 03 02 00"_b), true, "thrift/unknown-field 3+4 32766");
  // The extension, as the protocol spells its id, and in its printed form.
  CHECK_READ(read<KeyValue>("18 01 6B 08 FE FF 03 01 78 00"_b), true, "extension/present 3+4 32767",
             "extension/disambiguation 7+2 32767");
  CHECK_READ(read<KeyValue>("18 01 6B 08 FF FF 01 01 78 00"_b), true, "extension/wire-id 3+4 -16384",
             "extension/present 3+4 -16384", "extension/disambiguation 7+2 -16384");
  CHECK_READ(read<KeyValue>("18 01 6B 05 FF FF 01 02 00"_b), true, "thrift/field-id 3+4 -16384");
  // Beyond 32767 the id wraps, as it does for every 16-bit reader.
  CHECK_READ(read<KeyValue>("18 01 6B 08 FE FF 03 01 78 15 02 00"_b), true, "extension/present 3+4 32767",
             "extension/disambiguation 7+2 32767", "thrift/field-id 9+1", "extension/last-field 3+4 32767");
}

TEST_CASE("an extension is a binary, and a struct has one",
          "[unit][extension/field-type][extension/last-field]") {
  CHECK_READ(read<KeyValue>("18 01 6B 05 FE FF 03 02 00"_b), true, "extension/field-type 3+4 32767");
  // Two fields after it are reported once; the second extension is one too many.
  CHECK_READ(
      read<KeyValue>(
          "08 FE FF 03 10 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 08 02 01 6B 08 04 01 76 00"_b),
      true, "extension/present 0+4 32767", "thrift/field-order 21+2 key", "extension/last-field 0+4 32767",
      "thrift/short-field-header 25+2 value");
  // One that is cut ends the struct.
  CHECK_READ(read<KeyValue>("18 01 6B 08 FE FF 03 05 01 02"_b), false, "thrift/binary-length 7+1 32767");
}

TEST_CASE("a number out of range leaves its field unread and the walk intact",
          "[unit][thrift/varint-overflow]") {
  const auto six = read<PageLocation>("16 02 15 82 80 80 80 80 00 16 04 00"_b);
  CHECK_READ(six, true, "thrift/varint-overflow 3+6 compressed_page_size");
  CHECK(six.value.fields.mentions(PageLocation::id_compressed_page_size));
  CHECK_FALSE(six.value.has(PageLocation::id_compressed_page_size));
  CHECK(six.value.first_row_index == 2);
  // 2^31; the largest and smallest that fit.
  CHECK_READ(read<PageLocation>("16 02 15 80 80 80 80 10 16 04 00"_b), true,
             "thrift/varint-overflow 3+5 compressed_page_size");
  CHECK(read<PageLocation>("16 02 15 FE FF FF FF 0F 16 04 00"_b).value.compressed_page_size == INT32_MAX);
  CHECK(read<PageLocation>("16 02 15 FF FF FF FF 0F 16 04 00"_b).value.compressed_page_size == INT32_MIN);
  // i16: 40000, 0 in four bytes, 32767 in three.
  const std::string_view group = "19 0C 16 02 16 02 ";
  const auto ordinal = [&](std::string_view value) {
    const std::string hex = std::string(group) + "44 " + std::string(value) + " 00";
    return read<RowGroup>(operator""_b(hex.data(), hex.size()));
  };
  CHECK_READ(ordinal("80 F1 04"), true, "thrift/varint-overflow 7+3 ordinal");
  CHECK_READ(ordinal("80 80 80 00"), true, "thrift/varint-overflow 7+4 ordinal");
  CHECK_READ(ordinal("FE FF 03"), true);
  CHECK(ordinal("FE FF 03").value.ordinal == 32767);
  // i64: 2^63 in ten bytes, ten bytes that are no 64 bits, and the smallest.
  CHECK_READ(read<SizeStatistics>("16 80 80 80 80 80 80 80 80 80 02 00"_b), true,
             "thrift/varint-overflow 1+10 unencoded_byte_array_data_bytes");
  CHECK(read<SizeStatistics>("16 FF FF FF FF FF FF FF FF FF 01 00"_b).value.unencoded_byte_array_data_bytes ==
        INT64_MIN);
  // One element of a list leaves the list unread.
  const auto list = read<SizeStatistics>("29 26 02 80 80 80 80 80 80 80 80 80 02 00"_b);
  CHECK_READ(list, true, "thrift/varint-overflow 3+10 repetition_level_histogram[1]");
  CHECK_FALSE(list.value.has(SizeStatistics::id_repetition_level_histogram));
  // Sizes in six bytes.
  const auto name = read<KeyValue>("18 81 80 80 80 80 00 6B 18 01 76 00"_b);
  CHECK_READ(name, true, "thrift/varint-overflow 1+6 key");
  CHECK_FALSE(name.value.has(KeyValue::id_key));
  CHECK(text(name.value.value) == "v");
  CHECK_READ(read<SizeStatistics>("29 F6 81 80 80 80 80 00 02 00"_b), true,
             "thrift/varint-overflow 2+6 repetition_level_histogram");
}

TEST_CASE("a field whose id is out of range matches no field, whatever its lowest 16 bits are",
          "[unit][thrift/varint-overflow]") {
  // Four bytes for an id that would fit.
  const auto id = read<KeyValue>("08 82 80 80 00 01 6B 00"_b);
  CHECK_READ(id, true, "thrift/varint-overflow 1+4");
  CHECK_FALSE(id.value.fields.mentions(KeyValue::id_key));
  // The lowest bits are those of the extension (also with another type), of none, of a field that is there,
  // of an unknown field, and of the key with another type.
  for (const Bytes& long_id :
       {"18 01 6B 08 FE FF 07 01 78 00"_b, "18 01 6B 05 FE FF 07 04 00"_b, "18 01 6B 08 80 80 04 01 78 00"_b,
        "18 01 6B 08 82 80 08 01 78 00"_b, "18 01 6B 08 8A 80 08 01 78 00"_b, "18 01 6B 05 80 80 08 04 00"_b,
        "18 01 6B 05 82 80 08 04 00"_b}) {
    const auto last = read<KeyValue>(long_id);
    CHECK_READ(last, true, "thrift/varint-overflow 4+3");
    CHECK(text(last.value.key) == "k");
  }
  // Before the true key.
  const auto before = read<KeyValue>("08 82 80 08 01 78 08 02 01 6B 00"_b);
  CHECK_READ(before, true, "thrift/varint-overflow 1+3");
  CHECK(text(before.value.key) == "k");
}

TEST_CASE("ids relative to one out of range are unknown too, up to the next full id",
          "[unit][thrift/varint-overflow][thrift/field-id]") {
  // No field is missing, none is out of order.
  const auto counted = read<KeyValue>("08 FE FF 07 01 6B 18 01 76 18 01 78 00"_b);
  CHECK_READ(counted, true, "thrift/varint-overflow 1+3");
  CHECK_FALSE(counted.value.has(KeyValue::id_key));
  const auto intact = read<KeyValue>("08 FE FF 07 01 78 08 02 01 6B 18 01 76 00"_b);
  CHECK_READ(intact, true, "thrift/varint-overflow 1+3");
  CHECK(text(intact.value.key) == "k");
  CHECK(text(intact.value.value) == "v");
  // Fields after the full id are judged as usual.
  CHECK_READ(read<KeyValue>("08 FE FF 07 01 78 08 04 01 76 08 02 01 6B 00"_b), true,
             "thrift/varint-overflow 1+3", "thrift/field-order 10+2 key");
  // -32760, which cannot be computed from an unknown id.
  CHECK_READ(read<KeyValue>("18 01 6B 08 FE FF 07 01 78 08 EF FF 03 01 78 00"_b), true,
             "thrift/varint-overflow 4+3", "thrift/field-id 9+4 -32760");
  // 32760 and 15 more; one more, which is not reported again.
  const auto beyond = read<KeyValue>("18 01 6B 08 F0 FF 03 01 78 F8 01 78 18 01 78 00"_b);
  CHECK_READ(beyond, true, "thrift/unknown-field 3+4 32760", "thrift/field-id 9+1");
  CHECK(text(beyond.value.key) == "k");
}

TEST_CASE("a required field or a member whose id is out of range is reported once",
          "[unit][thrift/varint-overflow]") {
  // PageLocation: offset, compressed_page_size, first_row_index under 65539.
  const auto location = read<PageLocation>("16 02 15 04 06 86 80 08 06 00"_b);
  CHECK_READ(location, true, "thrift/varint-overflow 5+3");
  CHECK_FALSE(location.value.has(PageLocation::id_first_row_index));
  // The only member of a union.
  CHECK_READ(read<TimeUnit>("0C 82 80 08 00 00"_b), true, "thrift/varint-overflow 1+3");
}

TEST_CASE("a number of more than ten bytes ends the walk", "[unit][thrift/varint-overflow]") {
  CHECK_READ(read<PageLocation>("16 02 15 82 80 80 80 80 80 80 80 80 80 00 16 04 00"_b), false,
             "thrift/varint-overflow 3+10 compressed_page_size");
  CHECK_READ(read<KeyValue>("18 81 80 80 80 80 80 80 80 80 80 00 6B 00"_b), false,
             "thrift/varint-overflow 1+10 key");
  CHECK_READ(read<KeyValue>("08 82 80 80 80 80 80 80 80 80 80 00 01 6B 00"_b), false,
             "thrift/varint-overflow 1+10");
  CHECK_READ(read<Statistics>("A5 80 80 80 80 80 80 80 80 80 80 00 00"_b), false,
             "thrift/unknown-field 0+1 10", "thrift/varint-overflow 1+10 10");
}

TEST_CASE("numbers with surplus bytes are read", "[unit][thrift/varint-canonical]") {
  const auto number = read<PageLocation>("16 02 15 82 80 00 16 04 00"_b);
  CHECK_READ(number, true, "thrift/varint-canonical 3+3 compressed_page_size");
  CHECK(number.value.compressed_page_size == 1);
  CHECK(number.said[0][0] == "1");
  CHECK_READ(read<KeyValue>("18 81 00 6B 00"_b), true, "thrift/varint-canonical 1+2 key");
  CHECK_READ(read<SizeStatistics>("29 F6 81 00 02 00"_b), true,
             "thrift/varint-canonical 2+2 repetition_level_histogram");
  CHECK_READ(read<KeyValue>("18 01 6B 08 A2 00 00 00"_b), true, "thrift/varint-canonical 4+2",
             "thrift/unknown-field 3+3 17");
  CHECK_READ(read<SizeStatistics>("16 80 80 80 80 80 80 80 80 80 00 00"_b), true,
             "thrift/varint-canonical 1+10 unencoded_byte_array_data_bytes");
}

TEST_CASE("booleans in a list are 1 or 2", "[unit][thrift/bool-list-value][thrift/bool-list-zero]") {
  const auto index = read<ColumnIndex>("19 51 01 02 00 03 FF 19 08 19 08 15 00 00"_b, "column_index");
  CHECK_READ(index, true, "thrift/bool-list-zero 4+1 column_index.null_pages[2]",
             "thrift/bool-list-value 5+1 column_index.null_pages[3]",
             "thrift/bool-list-value 6+1 column_index.null_pages[4]");
  CHECK(index.value.null_pages.count == 5);
  CHECK(index.value.null_pages.bytes.size() == 5);
  CHECK_READ(read<ColumnIndex>("19 22 01 02 19 08 19 08 15 00 00"_b), true);
}

TEST_CASE("a list that claims more elements than the bytes can hold ends the walk",
          "[unit][thrift/list-size]") {
  const auto list = read<SizeStatistics>("29 46 02 02 00"_b);
  CHECK_READ(list, false, "thrift/list-size 1+1 repetition_level_histogram");
  CHECK(list.said[0] == std::array<std::string, 2>{"4", "at most 3"});
  CHECK_READ(read<SizeStatistics>("29 F6 FF FF FF FF 07 00"_b), false,
             "thrift/list-size 1+6 repetition_level_histogram");
  CHECK_READ(read<SizeStatistics>("29 F6 80 80 80 80 08 00"_b), false,
             "thrift/list-size 1+6 repetition_level_histogram");
  CHECK_READ(read<SizeStatistics>("29 F6 FF FF FF FF FF FF FF FF FF 01 00"_b), false,
             "thrift/list-size 1+11 repetition_level_histogram");
  CHECK_READ(read<SizeStatistics>("29 F6 FF FF FF FF FF FF FF FF FF 7F 00"_b), false,
             "thrift/list-size 1+11 repetition_level_histogram");
  // A double takes eight bytes, a pair of a map two or more.
  CHECK_READ(read<Statistics>("A9 27 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"_b), false,
             "thrift/list-size 1+1 10");
  CHECK_READ(read<Statistics>("AB 02 33 01 01 01"_b), false, "thrift/list-size 1+2 10");
  CHECK_READ(read<Statistics>("AB 02 33 01 01 01 01 00"_b), true, "thrift/unknown-field 0+1 10");
}

TEST_CASE("a list of other elements is skipped", "[unit][thrift/list-element-type]") {
  const auto list = read<SizeStatistics>("16 02 19 25 02 02 19 16 04 00"_b);
  CHECK_READ(list, true, "thrift/list-element-type 3+1 repetition_level_histogram");
  CHECK_FALSE(list.value.has(SizeStatistics::id_repetition_level_histogram));
  CHECK(list.value.definition_level_histogram.count == 1);
  CHECK_READ(read<SizeStatistics>("29 21 01 02 19 16 04 00"_b), true,
             "thrift/list-element-type 1+1 repetition_level_histogram");
  CHECK_READ(read<OffsetIndex>("19 26 02 02 00"_b), true, "thrift/list-element-type 1+1 page_locations");
  CHECK_READ(read<ColumnIndex>("19 13 02 19 08 19 08 15 00 00"_b), true,
             "thrift/list-element-type 1+1 null_pages");
}

TEST_CASE("a list with the bytes of the one before is read at its own offset, and any other is judged",
          "[unit][thrift/unknown-enum-value]") {
  const Bytes first = "15 02 19 25 00 06 19 18 01 61 15 00 16 02 16 02 16 02 26 08 00"_b;
  const Bytes other = "15 02 19 25 00 C6 01 19 18 01 61 15 00 16 02 16 02 16 02 26 08 00"_b;
  const Bytes bytes = first + first + other;
  Findings findings(RuleSet{}.set());
  thrift::Reader reader({bytes}, {&findings, {}, {}}, kLimits);
  ColumnMetaData meta;
  for (const std::uint64_t base : {4U, 25U}) {
    REQUIRE(reader.read(meta));
    CHECK(meta.encodings.count == 2);
    CHECK(meta.encodings.bytes.base == base);
    CHECK(Bytes(meta.encodings.bytes.bytes.begin(), meta.encodings.bytes.bytes.end()) == "00 06"_b);
  }
  CHECK(findings.all().empty());
  REQUIRE(reader.read(meta));
  CHECK(lines(findings, 0) == Lines{"thrift/unknown-enum-value 47+2 encodings[1]"});
}

TEST_CASE("a binary that claims more bytes than are left ends the walk", "[unit][thrift/binary-length]") {
  const auto rest = read<KeyValue>("18 05 6B 18 01 76 00"_b);  // just what is left, but for the stop byte
  CHECK_READ(rest, false, "thrift/stop-byte 7+0");
  CHECK(rest.value.key.size() == 5);
  const auto longer = read<KeyValue>("18 06 6B 18 01 76 00"_b);
  CHECK_READ(longer, false, "thrift/binary-length 1+1 key");
  CHECK(longer.said[0] == std::array<std::string, 2>{"6", "at most 5"});
  CHECK_READ(read<KeyValue>("18 FF FF FF FF 0F 6B 00"_b), false, "thrift/binary-length 1+5 key");
  CHECK_READ(read<KeyValue>("18 FF FF FF FF FF FF FF FF FF 01 6B 00"_b), false,
             "thrift/binary-length 1+10 key");
  CHECK_READ(read<KeyValue>("18 FF FF FF FF FF FF FF FF FF 7F 6B 00"_b), false,
             "thrift/binary-length 1+10 key");
}

TEST_CASE("a fault that makes the content ambiguous makes the reader unsound permanently", "[unit]") {
  const auto sound_after = [](const Bytes& bytes, bool& intact) {
    thrift::Reader reader({bytes, 0}, {}, kLimits);
    KeyValue pair;
    intact = reader.read(pair);
    KeyValue next;  // a sound struct after it does not reset that
    if (intact) REQUIRE(reader.read(next));
    return reader.sound();
  };
  const Bytes good = "18 01 6B 00"_b;
  bool intact = false;
  for (const Bytes& start : {
           "18 01 6B 00"_b,             // nothing is wrong
           "18 81 00 6B 00"_b,          // thrift/varint-canonical
           "18 01 6B 85 02 00"_b,       // thrift/unknown-field
           "28 01 76 08 02 01 6B 00"_b  // thrift/field-order
       }) {
    CHECK(sound_after(start + good, intact));
    CHECK(intact);
  }
  for (const Bytes& start : {"00"_b,                    // thrift/required-field
                             "18 01 6B 05 02 02 00"_b,  // thrift/duplicate-field
                             "18 01 FF 00"_b,           // thrift/string-utf8
                             "15 02 00"_b}) {           // thrift/field-type
    CHECK_FALSE(sound_after(start + good, intact));
    CHECK(intact);
  }
  CHECK_FALSE(sound_after("18 01"_b, intact));  // thrift/stop-byte
  CHECK_FALSE(intact);
}

TEST_CASE("faults in skipped fields do not make the reader unsound", "[unit]") {
  // The first has a repeated field; then also a map, and an i32 of 33 bits.
  for (const Bytes& bytes : {"18 01 6B 05 02 02 00 18 01 6B 00"_b, "18 01 6B 05 02 02 1B 00 00 18 01 6B 00"_b,
                             "18 01 6B 05 02 02 1B 00 15 FF FF FF FF 1F 00 18 01 6B 00"_b}) {
    thrift::Reader reader({bytes, 0}, {}, kLimits);
    REQUIRE(reader.pass_over());
    KeyValue pair;
    REQUIRE(reader.read(pair));
    CHECK(reader.sound());
    CHECK_FALSE(reader.damaged());
    CHECK(reader.signs() == 0);
    CHECK(reader.faults() == 0);
  }
}

TEST_CASE("strings are UTF-8, binaries are any bytes", "[unit][thrift/string-utf8]") {
  const auto pair = read<KeyValue>("18 03 6B C3 28 18 02 65 C3 00"_b);
  CHECK_READ(pair, true, "thrift/string-utf8 3+1 key", "thrift/string-utf8 8+1 value");
  CHECK(pair.value.has(KeyValue::id_key));
  CHECK_READ(read<EncryptionWithColumnKey>("19 28 01 61 01 FF 18 01 FF 00"_b), true,
             "thrift/string-utf8 5+1 path_in_schema[1]");
  CHECK_READ(read<Statistics>("18 02 FF C3 98 01 FF 00"_b), true, "thrift/unknown-field 4+1 10");
}

TEST_CASE("a union has one member", "[unit][thrift/union-exactly-one]") {
  CHECK_READ(read<TimeUnit>("00"_b), true, "thrift/union-exactly-one 0+1");
  CHECK_READ(read<TimestampType>("11 1C 00 00"_b), true, "thrift/union-exactly-one 2+1 unit");
  const auto three = read<TimeUnit>("1C 00 1C 00 1C 00 00"_b);
  CHECK_READ(three, true, "thrift/union-exactly-one 2+1 MICROS");
  CHECK(three.value.has(TimeUnit::id_MILLIS));
  CHECK(three.value.has(TimeUnit::id_NANOS));
  CHECK_READ(read<TimeUnit>("1C 00 0C 02 00 00"_b), true, "thrift/duplicate-field 2+2 MILLIS");
  CHECK_READ(read<TimeUnit>("1C 00 8C 00 00"_b), true, "thrift/union-exactly-one 2+1 9",
             "thrift/unknown-field 2+1 9");
  CHECK_READ(read<TimeUnit>("9C 00 1C 00 00"_b), true, "thrift/union-exactly-one 2+1 10");
  // A member of a wrong type is a member.
  CHECK_READ(read<TimeUnit>("15 00 00"_b), true, "thrift/optional-field-type 0+1 MILLIS");
}

TEST_CASE("an unknown member of a union is no error", "[unit][thrift/unknown-union-member]") {
  CHECK_READ(read<TimeUnit>("9C 00 00"_b), true, "thrift/unknown-field 0+1 9",
             "thrift/unknown-union-member 0+1 9");
  const auto stamp = read<TimestampType>("11 1C 0C C6 01 00 00 00"_b);
  CHECK_READ(stamp, true, "thrift/unknown-field 2+3 unit.99", "thrift/unknown-union-member 2+3 unit.99");
  CHECK(stamp.value.has(TimestampType::id_unit));
  CHECK(stamp.value.unit.fields.unknown == 99);
}

TEST_CASE("an undefined enum value is kept", "[unit][thrift/unknown-enum-value]") {
  const auto element = read<SchemaElement>("15 10 38 01 61 00"_b);
  CHECK(element.found.at(0) == "thrift/unknown-enum-value 1+1 type");
  CHECK(static_cast<int>(element.value.type) == 8);
  CHECK(element.value.has(SchemaElement::id_type));
  CHECK_READ(read<PageEncodingStats>("15 08 15 16 15 02 00"_b), true,
             "thrift/unknown-enum-value 1+1 page_type", "thrift/unknown-enum-value 3+1 encoding");
  // Page headers have rules of their own.
  CHECK_READ(read<DictionaryPageHeader>("15 02 15 C6 01 00"_b), true);
}

TEST_CASE("an unknown field is skipped and recorded", "[unit][thrift/unknown-field]") {
  const auto pair = read<KeyValue>("18 01 6B 8C 15 02 19 2C 11 00 00 00 00"_b);
  CHECK_READ(pair, true, "thrift/unknown-field 3+1 9");
  CHECK(pair.value.fields.unknown == 9);
  CHECK(read<KeyValue>("18 01 6B 00"_b).value.fields.unknown == 0);
}

TEST_CASE("structs and lists nest 64 deep", "[unit][thrift/nesting-depth]") {
  const auto nested = [](std::size_t depth, std::uint8_t header) {
    Bytes bytes = "18 01 6B 85 02"_b;
    bytes.insert(bytes.end(), depth, header);
    return bytes;
  };
  Bytes fits = nested(63, 0x1C);
  fits.insert(fits.end(), 64, 0);
  CHECK_READ(read<KeyValue>(fits), true, "thrift/unknown-field 3+1 9", "thrift/unknown-field 5+1 10");
  Bytes deeper = nested(64, 0x1C);
  deeper.insert(deeper.end(), 65, 0);
  const auto too_deep = read<KeyValue>(deeper);
  REQUIRE(too_deep.found.size() == 1);  // it replaces the findings of unknown fields
  std::string path = "10";
  for (int i = 0; i < 63; ++i) path += ".1";
  CHECK(too_deep.found.back() == "thrift/nesting-depth 69+1 " + path);
  CHECK_FALSE(too_deep.intact);
  for (const std::size_t depth : {63U, 64U}) {  // lists of one list each, the innermost of one byte
    Bytes lists = nested(depth, 0x19);
    lists.insert(lists.end(), {0x13, 7, 0});
    const auto read_lists = read<KeyValue>(lists);
    CHECK(read_lists.intact == (depth == 63));
    CHECK(read_lists.found.back().starts_with("thrift/nesting-depth") == (depth == 64));
  }
  for (const std::uint8_t header : {std::uint8_t{0x1C}, std::uint8_t{0x19}, std::uint8_t{0x1A}}) {
    const auto abyss = read<KeyValue>(nested(100'000, header));
    CHECK_FALSE(abyss.intact);
    CHECK(abyss.found.back().starts_with("thrift/nesting-depth 69+1 10"));
  }
}

TEST_CASE("a smaller nesting limit applies to the structs and lists of known fields",
          "[unit][thrift/nesting-depth]") {
  const auto fits = [](const Bytes& bytes, auto value, std::uint32_t nesting) {
    const Limits limits{.nesting = nesting};
    Findings findings(RuleSet{}.set());
    thrift::Reader reader({bytes}, {&findings, kPlace, {}}, limits);
    const bool intact = reader.read(value);
    CHECK(findings.all().size() == (intact ? 0 : 1));
    for (const Finding& finding : findings.all()) CHECK(finding.rule == Rule::thrift_nesting_depth);
    return intact;
  };
  const auto location = "16 02 15 02 16 00 00"_b;
  const auto index = "19 1C 16 02 15 02 16 00 00 00"_b;  // a list of one such location
  const auto sizes = "29 16 02 00"_b;                    // a list of one number
  // A data page header, in which there are statistics.
  const auto page = "15 00 15 02 15 02 2C 15 02 15 00 15 06 15 06 1C 36 00 00 00 00"_b;
  for (std::uint32_t nesting = 1; nesting <= 4; ++nesting) {
    INFO("at most " << nesting);
    CHECK(fits(location, PageLocation{}, nesting));
    CHECK(fits(index, OffsetIndex{}, nesting) == (nesting >= 3));
    CHECK(fits(sizes, SizeStatistics{}, nesting) == (nesting >= 2));
    CHECK(fits(page, PageHeader{}, nesting) == (nesting >= 3));
  }
}

TEST_CASE("a skipped struct has the nesting limit of one that is read, and ends with its last byte",
          "[unit][thrift/nesting-depth]") {
  const Limits limits;
  constexpr std::size_t kDepths[] = {1, 2, 5, 62, 63, 64};
  for (const std::size_t structs : kDepths) {
    for (const std::size_t lists : kDepths) {  // one in the other, in the structs; the innermost of one byte
      INFO(structs << " structs, " << lists << " lists");
      Bytes bytes(structs - 1, 0x1C);
      bytes.insert(bytes.end(), lists, 0x19);
      bytes.insert(bytes.end(), {0x13, 7});
      bytes.insert(bytes.end(), structs, 0);
      thrift::Reader reader({bytes}, {}, limits);
      const bool fits = structs + lists <= 64;
      CHECK(reader.pass_over() == fits);
      CHECK((!fits || reader.offset() == bytes.size()));
    }
  }
  const Bytes last{0x15, 2, 0};  // a varint that has no eight bytes before the end
  thrift::Reader reader({last}, {}, limits);
  CHECK(reader.pass_over());
}

TEST_CASE("claimed sizes cost no memory", "[unit]") {
  const Bytes claims[] = {
      "29 F6 FF FF FF FF 07 00"_b,  // a list of 2^31 - 1 numbers
      "19 FC FF FF FF FF 07 00"_b,  // of structs, where a number is declared
      "98 FF FF FF FF 07 00"_b,     // a binary of 2^31 - 1 bytes
      "A9 FC FF FF FF FF 07 00"_b,  // an unknown list
      "AB FF FF FF FF 07 CC 00"_b,  // an unknown map
      "29 F6 FF FF FF FF FF FF FF FF FF 01"_b,
  };
  for (const Bytes& bytes : claims) {
    Findings findings(RuleSet{}.set());
    SizeStatistics value;
    const std::uint64_t before = fuzz::allocated_bytes();
    thrift::Reader reader({bytes}, {&findings, {}, {}}, kLimits);
    const bool intact = reader.read(value);
    const std::uint64_t cost = fuzz::allocated_bytes() - before;
    CHECK_FALSE(intact);
    CHECK(cost < 4096);
  }
  // A legal list needs no memory: it is not copied.
  Bytes longest = "29 F6 C0 84 3D"_b;  // a million
  longest.insert(longest.end(), 1'000'000, 0x02);
  longest.push_back(0);
  SizeStatistics value;
  const std::uint64_t before = fuzz::allocated_bytes();
  thrift::Reader reader({longest}, {}, kLimits);
  const bool intact = reader.read(value);
  CHECK(fuzz::allocated_bytes() == before);
  CHECK(intact);
  CHECK(value.repetition_level_histogram.count == 1'000'000);
  CHECK(value.repetition_level_histogram.bytes.size() == 1'000'000);
}

/// Takes the page locations one by one, as a struct each or unread.
class Locations final : public thrift::ElementHandler {
 public:
  explicit Locations(bool postpone) : postpone_(postpone) {}
  [[nodiscard]] bool takes(const thrift::Field& list) const override { return list.name == "page_locations"; }
  [[nodiscard]] bool element(thrift::Reader& reader, const thrift::Field&, std::uint32_t index) override {
    if (postpone_) return reader.pass_over();
    paths.push_back(reader.path());
    const std::uint32_t base = reader.rebase();
    reader.set_place({0, 0, static_cast<std::int32_t>(index)});
    PageLocation location;
    const bool intact = reader.read(location);
    reader.restore(base);
    offsets.push_back(location.offset);
    return intact;
  }
  Lines paths;
  std::vector<std::int64_t> offsets;

 private:
  bool postpone_;
};

TEST_CASE("elements can be skipped and read later, with the same findings", "[unit]") {
  const Bytes bytes = "19 2C 16 02 15 02 16 00 00 16 04 15 02 00 19 16 02 00"_b;
  Findings findings(RuleSet{}.set());
  thrift::Reader reader({bytes, 50}, {&findings, {}, "offset_index"}, kLimits);
  Locations postpone(true);
  reader.set_handler(&postpone);
  OffsetIndex index;
  REQUIRE(reader.read(index));
  CHECK(findings.all().empty());
  CHECK(reader.faults() == 0);
  REQUIRE(index.page_locations.count == 2);
  CHECK(index.page_locations.bytes.base == 52);
  CHECK(index.page_locations.bytes.size() == 12);
  CHECK(index.unencoded_byte_array_data_bytes.count == 1);

  thrift::Reader later(index.page_locations.bytes, {&findings, {}, "offset_index"}, kLimits);
  Locations locations(false);
  later.set_handler(&locations);
  REQUIRE(later.elements(*OffsetIndex::kType.find("page_locations"), index.page_locations));
  CHECK(locations.offsets == std::vector<std::int64_t>{1, 2});
  CHECK(locations.paths == Lines{"offset_index.page_locations[0]", "offset_index.page_locations[1]"});
  // Within rebase() and restore() paths count from the element.
  CHECK(lines(findings, 50) == Lines{"thrift/required-field 9+5 offset_index.first_row_index"});
  CHECK(findings.all()[0].place == Place{0, 0, 1});
}

TEST_CASE("elements read later have their nesting depth", "[unit][thrift/nesting-depth]") {
  const auto outcome = [](std::size_t depth) {
    Bytes bytes = "19 1C 16 02 15 02 16 00"_b;
    bytes.insert(bytes.end(), depth, 0x1C);
    bytes.insert(bytes.end(), depth + 2, 0x00);
    Findings findings(RuleSet{}.set());
    thrift::Reader reader({bytes}, {&findings, {}, {}}, kLimits);
    Locations postpone(true);
    reader.set_handler(&postpone);
    OffsetIndex index;
    const bool first = reader.read(index);
    CHECK(findings.all().empty());
    REQUIRE(index.fields.mentions(OffsetIndex::id_page_locations));
    thrift::Reader later(index.page_locations.bytes, {&findings, {}, {}}, kLimits);
    CHECK(later.elements(*OffsetIndex::kType.find("page_locations"), index.page_locations) == first);
    return lines(findings, 0).back();
  };
  CHECK(outcome(61) == "thrift/unknown-field 8+1 page_locations[0].4");
  CHECK(outcome(62).starts_with("thrift/nesting-depth 70+1 page_locations[0].4.1"));
}

}  // namespace
}  // namespace parqproof::test
