// Values as text, of bounded length; values in every style are in value_json_test.cpp.
#include "codec/schema/value_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <random>
#include <string>

#include "codec/base/utf8.hpp"
#include "tests/support/leaves.hpp"

namespace {

using namespace parqproof;
using namespace support;
using Kind = ValueText::Kind;

std::string brief(const SchemaElement& element, const Bytes& value) {
  return short_text(value, node_of(element));
}
ValueText text(const SchemaElement& element, const Bytes& value, std::string& buffer) {
  return value_text(value, logical_style(node_of(element)), buffer);
}
SchemaElement text_leaf() { return converted(leaf(Type::BYTE_ARRAY), ConvertedType::UTF8); }

TEST_CASE("a value has the kind of its text") {
  std::string buffer = "before";
  CHECK(text(leaf(Type::INT32), of(std::int32_t{-7}), buffer).kind == Kind::literal);
  CHECK(buffer == "-7");
  CHECK(text(leaf(Type::DOUBLE), of(-0.0), buffer).text == "-0");
  CHECK(text(leaf(Type::DOUBLE), of(std::numeric_limits<double>::infinity()), buffer).kind == Kind::words);
  CHECK(text(decimal(Type::INT32, 2), of(std::int32_t{-7}), buffer).text == "-0.07");
  CHECK(text(decimal(Type::INT32, 0), of(std::int32_t{-7}), buffer).kind == Kind::words);
  const Bytes value = of("a\n");
  const ValueText same = text(text_leaf(), value, buffer);
  CHECK(same.kind == Kind::text);
  CHECK(static_cast<const void*>(same.text.data()) == value.data());
  CHECK(text(text_leaf(), {0xFF}, buffer).kind == Kind::no_text);
  CHECK(text(leaf(Type::BYTE_ARRAY), value, buffer).kind == Kind::bytes);
  CHECK(text(decimal(Type::BYTE_ARRAY, 2), {}, buffer).kind == Kind::bytes);
}

TEST_CASE("a BOOLEAN is its lowest bit") {
  CHECK(brief(leaf(Type::BOOLEAN), {1}) == "true");
  CHECK(brief(leaf(Type::BOOLEAN), {2}) == "false");
}

TEST_CASE("the short text of numbers and timestamps is their logical form without quotes") {
  CHECK(brief(leaf(Type::INT64), of(std::int64_t{-5})) == "-5");
  CHECK(brief(leaf(Type::FLOAT), of(0.1F)) == "0.1");
  CHECK(brief(leaf(Type::DOUBLE), of(std::numeric_limits<double>::quiet_NaN())) == "NaN");
  CHECK(brief(leaf(Type::FLOAT), of(-std::numeric_limits<float>::quiet_NaN())) == "-NaN");
  CHECK(brief(converted(leaf(Type::INT32), ConvertedType::UINT_32), of(std::int32_t{-1})) == "4294967295");
  CHECK(brief(converted(leaf(Type::INT32), ConvertedType::DATE), of(std::int32_t{19'782})) == "2024-02-29");
  CHECK(brief(decimal(Type::INT32, 2), of(std::int32_t{150})) == "1.50");
  CHECK(brief(decimal(Type::BYTE_ARRAY, 1), {0xFF, 0x38}) == "-20.0");
  CHECK(brief(moment(Type::INT64, LogicalType::id_TIMESTAMP, TimeUnit::id_MILLIS, true),
              of(std::int64_t{0})) == "1970-01-01T00:00:00.000Z");
  Bytes uuid(16, 0xAB);
  CHECK(brief(logical(leaf(Type::FIXED_LEN_BYTE_ARRAY, 16), LogicalType::id_UUID), uuid) ==
        "abababab-abab-abab-abab-abababababab");
  CHECK(brief(logical(leaf(Type::FIXED_LEN_BYTE_ARRAY, 2), LogicalType::id_FLOAT16), {0x66, 0x2E}) ==
        "0.0999755859375");
  CHECK(brief(leaf(Type::INT96), Bytes(12, 0x20)) == "0x202020202020202020202020");  // no such year
}

TEST_CASE("a timestamp of 96 bits has the text of its moment, and is hex beyond the year 9999") {
  const auto nanos = [](const Bytes& value) {
    SchemaElement element =
        moment(Type::FIXED_LEN_BYTE_ARRAY, LogicalType::id_TIMESTAMP, TimeUnit::id_NANOS, true);
    element.type_length = 12;
    element.fields.present |= std::uint64_t{1} << SchemaElement::id_type_length;
    return brief(element, value);
  };
  CHECK(nanos(Bytes(12, 0)) == "1970-01-01T00:00:00.000000000Z");
  CHECK(nanos(Bytes(12, 0xFF)) == "1969-12-31T23:59:59.999999999Z");
  CHECK(nanos({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}) == "2554-07-21T23:34:33.709551616Z");
  CHECK(nanos({0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}) == "0x000000000000000000010000");
  CHECK(nanos({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80}) == "0x000000000000000000000080");
}

TEST_CASE("the short text of strings is quoted if all characters are printable, else hex") {
  CHECK(brief(text_leaf(), of("größe")) == "\"größe\"");
  CHECK(brief(text_leaf(), {}) == "\"\"");
  CHECK(brief(text_leaf(), of("a\nb")) == "0x610a62");
  CHECK(brief(text_leaf(), of("\xE2\x80\xAE")) == "0xe280ae");  // reverses the direction of writing
  CHECK(brief(text_leaf(), of("\"")) == "0x22");
  CHECK(brief(text_leaf(), {0x61, 0xFF}) == "0x61ff");
  CHECK(brief(leaf(Type::BYTE_ARRAY), of("plain")) == "\"plain\"");
  CHECK(brief(leaf(Type::BYTE_ARRAY), of("größe")) == "0x6772c3b6c39f65");
  CHECK(brief(leaf(Type::FIXED_LEN_BYTE_ARRAY, 2), of("ab")) == "\"ab\"");
  // Bytes of a binary column, whatever they resemble.
  CHECK(brief(decimal(Type::BYTE_ARRAY, -1), of("ab")) == "0x6162");
  CHECK(brief(logical(leaf(Type::BYTE_ARRAY), LogicalType::id_GEOMETRY), of("ab")) == "0x6162");
}

TEST_CASE("the short text of a long value is truncated, with its length") {
  const std::string hex32(64, '1');
  CHECK(brief(text_leaf(), Bytes(64, 'a')) == '"' + std::string(64, 'a') + '"');
  CHECK(brief(text_leaf(), Bytes(65, 'a')) == '"' + std::string(64, 'a') + "\"... (65 bytes)");
  CHECK(brief(leaf(Type::BYTE_ARRAY), Bytes(65, 'a')) == '"' + std::string(64, 'a') + "\"... (65 bytes)");
  // Not inside of a character.
  const std::string cut = std::string(63, 'a') + "ßb";
  CHECK(brief(text_leaf(), of(cut.c_str())) == '"' + std::string(63, 'a') + "\"... (66 bytes)");
  CHECK(brief(text_leaf(), Bytes(65, 0x11)) == "0x" + hex32 + "... (65 bytes)");
  CHECK(brief(leaf(Type::BYTE_ARRAY), Bytes(32, 0x11)) == "0x" + hex32);
  CHECK(brief(leaf(Type::BYTE_ARRAY), Bytes(33, 0x11)) == "0x" + hex32 + "... (33 bytes)");
  CHECK(brief(decimal(Type::BYTE_ARRAY, 0), Bytes(40, 0x7F)).size() == 97);
  CHECK(brief(decimal(Type::BYTE_ARRAY, 0), Bytes(41, 0x11)) == "0x" + hex32 + "... (41 bytes)");
  CHECK(brief(decimal(Type::INT32, 10'000), of(std::int32_t{1})) == "1");
}

TEST_CASE("the short text of any value is valid UTF-8 without control characters") {
  std::mt19937 random(11);
  constexpr std::uint8_t kBytes[] = {0x1B, 0x7F, 0xC2, 0x9B, 0xE2, 0x80, 0xAE, 0xF0, 'a', '"', '\\', 0};
  for (int i = 0; i < 20'000; ++i) {
    const auto type = static_cast<Type>(random() % 8);
    const std::int32_t sizes[] = {1,
                                  4,
                                  8,
                                  12,
                                  4,
                                  8,
                                  static_cast<std::int32_t>(random() % 80),
                                  static_cast<std::int32_t>(random() % 20)};
    const std::int32_t size = sizes[static_cast<int>(type)];
    SchemaElement element = leaf(type, size);
    if (random() % 2 == 0) {
      const auto id = static_cast<int>(random() % LogicalType::id_FILE) + 1;
      element = logical(element, static_cast<LogicalType::Id>(id));
      element.logicalType.DECIMAL.scale = static_cast<std::int32_t>(random() % 200) - 20;
    } else {
      element = converted(element, static_cast<ConvertedType>(random() % 22));
      element.scale = static_cast<std::int32_t>(random() % 200) - 20;
    }
    Bytes value(static_cast<std::size_t>(size));
    for (std::uint8_t& byte : value) {
      byte = random() % 2 == 0 ? kBytes[random() % std::size(kBytes)] : static_cast<std::uint8_t>(random());
    }
    const std::string out = brief(element, value);
    CAPTURE(out, static_cast<int>(type));
    REQUIRE(out.size() <= 102);
    for (std::size_t at = 0; at < out.size();) {
      const Character c = character_at(out, at);
      REQUIRE(c.valid);
      REQUIRE_FALSE(is_control(c.code));
      at += c.length;
    }
  }
}

}  // namespace
