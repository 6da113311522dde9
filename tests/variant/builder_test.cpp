// Encoded Variants: minimal widths, sorted names, and copies of values under another dictionary.
#include "codec/variant/builder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/base/text.hpp"
#include "conformance/report/variant_json.hpp"
#include "tests/variant/variant_support.hpp"

namespace parqproof {
namespace {

using variant::Builder;
using variant::Kind;
using variant::Metadata;

struct Encoded {
  Bytes metadata;
  Bytes value;
};

Encoded finish(Builder& builder) {
  Encoded out;
  REQUIRE(builder.is_complete());
  CHECK(builder.finish(out.metadata, out.value));
  return out;
}

std::string json_of(const Encoded& encoded, VariantForm form = VariantForm::plain,
                    std::size_t most = 10'000) {
  Metadata metadata;
  Collected faults;
  faults.with_advice = true;
  metadata.read({encoded.metadata, 0}, faults);
  variant::Judge judge(100);
  judge.judge(metadata, {encoded.value, 0}, "$", faults);
  CHECK(faults.all.empty());
  std::string text;
  return VariantJson(form, 100).append(text, metadata, encoded.value, most) ? text : "refused";
}

}  // namespace

TEST_CASE("names get ids in the order of their bytes, and values follow that order") {
  Builder builder;
  builder.begin_object();
  builder.key("c");
  builder.string("x");
  builder.key("a");
  builder.boolean(true);
  builder.key("b");
  builder.begin_array();
  builder.null();
  builder.begin_object();
  builder.end();
  builder.end();
  builder.end();
  const Encoded encoded = finish(builder);
  CHECK(hex(encoded.metadata) ==
        "1103000102036162"
        "63");
  CHECK(hex(encoded.value) ==
        "0203"
        "000102"
        "00010a0c"
        "04"
        "0302000104"
        "00020000"
        "0578");
  CHECK(json_of(encoded) == R"({"a":true,"b":[null,{}],"c":"x"})");
  CHECK(json_of(encoded, VariantForm::tagged) == R"({"object":{"a":true,"b":[null,{"object":{}}],"c":"x"}})");
}

TEST_CASE("an empty dictionary and a scalar take four bytes") {
  Builder builder;
  builder.null();
  const Encoded encoded = finish(builder);
  CHECK(hex(encoded.metadata) == "010000");
  CHECK(hex(encoded.value) == "00");
}

TEST_CASE("names of values that were not written are not in the dictionary") {
  Builder builder;
  builder.begin_object();
  builder.key("missing");
  builder.key("there");
  builder.null();
  builder.key("last");
  builder.end();
  CHECK(json_of(finish(builder)) == R"({"there":null})");
}

TEST_CASE("counts, ids and offsets of more than a byte are written in wider forms") {
  for (const std::size_t count : {255U, 256U, 300U, 70'000U}) {
    Builder builder;
    builder.begin_object();
    for (std::size_t i = 0; i < count; ++i) {
      builder.key("name" + std::to_string(i));
      builder.string(std::to_string(i));
    }
    builder.end();
    const Encoded encoded = finish(builder);
    INFO(count);
    CHECK(json_of(encoded, VariantForm::plain, 10'000'000)
              .starts_with(R"({"name0":"0","name1":"1","name10":"10")"));
  }
}

TEST_CASE("strings of 63 bytes are short, and longer ones have a length") {
  for (const std::size_t size : {0U, 63U, 64U, 300U}) {
    Builder builder;
    const std::string text(size, 'x');
    builder.string(text);
    const Encoded encoded = finish(builder);
    CHECK(encoded.value.size() == size + (size > 63 ? 5 : 1));
    CHECK(json_of(encoded) == '"' + text + '"');
  }
}

TEST_CASE("two fields of one name are refused") {
  Builder builder;
  builder.begin_object();
  builder.key("a");
  builder.null();
  builder.key("a");
  builder.null();
  builder.end();
  Bytes metadata;
  Bytes value;
  CHECK_FALSE(builder.finish(metadata, value));
}

TEST_CASE("a copied value has the names of its dictionary, and leaves out fields") {
  const Bytes names = from_hex("01 03 00 01 02 03 62 63 61");  // b, c, a
  const Bytes value = from_hex("02 03 02 00 01 02 01 00 03 00 04 08");
  Metadata metadata;
  Collected faults;
  metadata.read({names, 0}, faults);
  Builder builder;
  builder.key("unused");
  REQUIRE(builder.copy(metadata, value, 10));
  CHECK(json_of(finish(builder)) == R"({"a":false,"b":true,"c":null})");
  builder.clear();
  const std::vector<std::string_view> except{"b", "x"};
  builder.begin_object();
  REQUIRE(builder.copy_fields(metadata, value, 10, except));
  builder.key("d");
  builder.string("new");
  builder.end();
  CHECK(json_of(finish(builder)) == R"({"a":false,"c":null,"d":"new"})");
}

TEST_CASE("copies are limited in depth and size") {
  Metadata metadata;
  Collected faults;
  const Bytes names = from_hex("01 00 00");
  metadata.read({names, 0}, faults);
  Bytes value{0x00};
  for (int i = 0; i < 40; ++i) {  // each array has the next one twice
    Bytes outer{0x07, 0x02, 0, 0, 0, 0};
    outer.push_back(static_cast<std::uint8_t>(value.size()));
    outer.push_back(static_cast<std::uint8_t>(value.size() >> 8));
    value.insert(value.begin(), outer.begin(), outer.end());
  }
  Builder builder;
  builder.clear(1'000'000);
  CHECK_FALSE(builder.copy(metadata, value, 100));
  builder.clear();
  CHECK_FALSE(builder.copy(metadata, value, 39));
}

TEST_CASE("every type has its form in JSON and its tag") {
  struct Case {
    std::string_view value, plain, tagged;
  };
  for (const Case& one : std::initializer_list<Case>{
           {"0c ff", "-1", R"({"int8":-1})"},
           {"10 0001", "256", R"({"int16":256})"},
           {"14 ffffff7f", "2147483647", R"({"int32":2147483647})"},
           {"18 0000000000000080", "-9223372036854775808", R"({"int64":-9223372036854775808})"},
           {"1c 000000000000f83f", "1.5", R"({"double":1.5})"},
           {"1c 0000000000000080", "-0.0", R"({"double":-0.0})"},
           {"38 0000c03f", "1.5", R"({"float":1.5})"},
           {"38 0000c07f", R"("NaN")", R"({"float":"NaN"})"},
           {"38 0100c07f", R"("NaN")", R"({"float":"nan:0x7fc00001"})"},
           {"38 0000807f", R"("Infinity")", R"({"float":"Infinity"})"},
           {"20 02 6affffff", R"("-1.50")", R"({"decimal4":"-1.50"})"},
           {"24 00 0100000000000000", R"("1")", R"({"decimal8":"1"})"},
           {"28 03 01000000000000000000000000000000", R"("0.001")", R"({"decimal16":"0.001"})"},
           {"2c 26 4d 00 00", R"("2024-01-28")", R"({"date":19750})"},
           {"44 4078f3d8 00000000", R"("01:00:39.834688")", R"({"time":3639834688})"},
           {"30 0100000000000000", R"("1970-01-01T00:00:00.000001Z")", R"({"timestamp":1})"},
           {"34 0100000000000000", R"("1970-01-01T00:00:00.000001")", R"({"timestamp_ntz":1})"},
           {"48 0100000000000000", R"("1970-01-01T00:00:00.000000001Z")", R"({"timestamp_nanos":1})"},
           {"4c ffffffffffffffff", R"("1969-12-31T23:59:59.999999999")", R"({"timestamp_ntz_nanos":-1})"},
           {"3c 02000000 ff00", R"("ff00")", R"({"binary":"ff00"})"},
           {"50 00112233445566778899aabbccddeeff", R"("00112233-4455-6677-8899-aabbccddeeff")",
            R"({"uuid":"00112233-4455-6677-8899-aabbccddeeff"})"},
           {"04", "true", "true"},
           {"40 01000000 61", R"("a")", R"("a")"},
       }) {
    INFO(one.value);
    const Encoded encoded{from_hex("01 00 00"), from_hex(one.value)};
    CHECK(json_of(encoded) == one.plain);
    CHECK(json_of(encoded, VariantForm::tagged) == one.tagged);
  }
}

}  // namespace parqproof
