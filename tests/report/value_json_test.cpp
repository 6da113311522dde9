// Single values as JSON, by physical and logical type.
#include "conformance/report/value_json.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

#include "tests/support/leaves.hpp"

namespace {

using namespace parqproof;
using namespace support;

std::string shown(const SchemaElement& element, const Bytes& value) {
  std::string text;
  std::string buffer = "what was there before";
  append_value(text, value, logical_style(node_of(element)), buffer);
  return text;
}
std::string stored(const SchemaElement& element, const Bytes& value) {
  std::string text;
  std::string buffer;
  append_value(text, value, physical_style(element.type), buffer);
  return text;
}
Bytes int96(std::int64_t nanos, std::int32_t day) {
  Bytes bytes = of(nanos);
  const Bytes days = of(day);
  bytes.insert(bytes.end(), days.begin(), days.end());
  return bytes;
}

TEST_CASE("integers are signed unless their annotation says otherwise") {
  CHECK(shown(leaf(Type::INT32), of(std::int32_t{-1})) == "-1");
  CHECK(shown(converted(leaf(Type::INT32), ConvertedType::UINT_32), of(std::int32_t{-1})) == "4294967295");
  CHECK(shown(logical(leaf(Type::INT64), LogicalType::id_INTEGER), of(std::int64_t{-1})) ==
        "18446744073709551615");
  CHECK(stored(logical(leaf(Type::INT64), LogicalType::id_INTEGER), of(std::int64_t{-1})) == "-1");
  CHECK(shown(leaf(Type::BOOLEAN), {1}) == "true");
}

TEST_CASE("floats are the shortest text that round-trips, and zero keeps its sign") {
  CHECK(shown(leaf(Type::FLOAT), of(0.1F)) == "0.1");
  CHECK(shown(leaf(Type::FLOAT), of(2147483648.0F)) == "2147483648");
  CHECK(shown(leaf(Type::DOUBLE), of(0.1)) == "0.1");
  CHECK(shown(leaf(Type::DOUBLE), of(-0.0)) == "-0.0");
  CHECK(shown(leaf(Type::DOUBLE), of(0.0)) == "0");
  CHECK(shown(leaf(Type::DOUBLE), of(5e-324)) == "5e-324");
  CHECK(shown(leaf(Type::DOUBLE), of(-std::numeric_limits<double>::infinity())) == "\"-Infinity\"");
  CHECK(shown(leaf(Type::FLOAT), of(std::numeric_limits<float>::quiet_NaN())) == "\"NaN\"");
  const SchemaElement half = logical(leaf(Type::FIXED_LEN_BYTE_ARRAY, 2), LogicalType::id_FLOAT16);
  CHECK(shown(half, {0x00, 0x3C}) == "1");
  CHECK(shown(half, {0x66, 0x2E}) == "0.0999755859375");
  CHECK(shown(half, {0x00, 0x80}) == "-0.0");
  CHECK(shown(half, {0x00, 0x7C}) == "\"Infinity\"");
  CHECK(stored(half, {0x00, 0x3C}) == "\"003c\"");
}

TEST_CASE("decimals have exactly their scale, from every physical type") {
  CHECK(shown(decimal(Type::INT32, 2), of(std::int32_t{-150})) == "\"-1.50\"");
  CHECK(shown(decimal(Type::INT32, 0), of(std::int32_t{7})) == "\"7\"");
  CHECK(shown(decimal(Type::INT64, 3), of(std::int64_t{5})) == "\"0.005\"");
  CHECK(shown(decimal(Type::INT64, 18), of(INT64_MIN)) == "\"-9.223372036854775808\"");
  CHECK(shown(decimal(Type::BYTE_ARRAY, 2), {0xFF, 0x6A}) == "\"-1.50\"");
  CHECK(shown(decimal(Type::BYTE_ARRAY, 0), {0xFF, 0xFF, 0x00}) == "\"-256\"");
  CHECK(shown(decimal(Type::BYTE_ARRAY, 0), {0x80}) == "\"-128\"");
  CHECK(shown(decimal(Type::BYTE_ARRAY, 0), {0x00, 0x80}) == "\"128\"");
  CHECK(shown(decimal(Type::BYTE_ARRAY, 0), Bytes(3, 0)) == "\"0\"");
  Bytes most(16, 0xFF);
  most[0] = 0x7F;  // 2^127 - 1
  CHECK(shown(decimal(Type::FIXED_LEN_BYTE_ARRAY, 10, 16), most) ==
        "\"17014118346046923173168730371.5884105727\"");
  Bytes min(16, 0);
  min[0] = 0x80;
  CHECK(shown(decimal(Type::FIXED_LEN_BYTE_ARRAY, 0, 16), min) ==
        "\"-170141183460469231731687303715884105728\"");
  SchemaElement old = converted(leaf(Type::INT32), ConvertedType::DECIMAL);
  old.scale = 1;
  CHECK(shown(old, of(std::int32_t{15})) == "\"1.5\"");
}

TEST_CASE("a decimal that cannot be written as one is printed as stored") {
  CHECK(shown(decimal(Type::BYTE_ARRAY, 2), {}) == "\"\"");
  CHECK(shown(decimal(Type::INT32, -1), of(std::int32_t{3})) == "3");
  CHECK(shown(decimal(Type::INT32, INT32_MAX), of(std::int32_t{3})) == "3");
  CHECK(shown(decimal(Type::BYTE_ARRAY, 0), Bytes(5'000, 0x11)).size() == 10'002);
}

TEST_CASE(
    "dates and times outside the years 1 to 9999, or beyond their day, are printed as the stored number") {
  const SchemaElement date = converted(leaf(Type::INT32), ConvertedType::DATE);
  CHECK(shown(date, of(std::int32_t{19'782})) == "\"2024-02-29\"");
  CHECK(shown(date, of(std::int32_t{-719'162})) == "\"0001-01-01\"");
  CHECK(shown(date, of(std::int32_t{-719'163})) == "-719163");
  CHECK(shown(date, of(std::int32_t{2'932'896})) == "\"9999-12-31\"");
  CHECK(shown(date, of(std::int32_t{2'932'897})) == "2932897");
  const SchemaElement millis = moment(Type::INT32, LogicalType::id_TIME, TimeUnit::id_MILLIS);
  CHECK(shown(millis, of(std::int32_t{86'399'123})) == "\"23:59:59.123\"");
  CHECK(shown(millis, of(std::int32_t{86'400'000})) == "86400000");
  CHECK(shown(millis, of(std::int32_t{-1})) == "-1");
  const SchemaElement nanos = moment(Type::INT64, LogicalType::id_TIME, TimeUnit::id_NANOS);
  CHECK(shown(nanos, of(std::int64_t{1})) == "\"00:00:00.000000001\"");
}

TEST_CASE("a timestamp has the digits of its unit, and Z if it is adjusted to UTC") {
  const auto micros = [](bool utc) {
    return moment(Type::INT64, LogicalType::id_TIMESTAMP, TimeUnit::id_MICROS, utc);
  };
  constexpr std::int64_t kMoment = 1'709'251'199'123'456;
  CHECK(shown(micros(true), of(kMoment)) == "\"2024-02-29T23:59:59.123456Z\"");
  CHECK(shown(micros(false), of(kMoment)) == "\"2024-02-29T23:59:59.123456\"");
  CHECK(shown(micros(false), of(std::int64_t{-1})) == "\"1969-12-31T23:59:59.999999\"");
  CHECK(shown(micros(false), of(INT64_MIN)) == "-9223372036854775808");
  CHECK(shown(moment(Type::INT64, LogicalType::id_TIMESTAMP, TimeUnit::id_NANOS), of(INT64_MIN)) ==
        "\"1677-09-21T00:12:43.145224192\"");
  CHECK(shown(converted(leaf(Type::INT64), ConvertedType::TIMESTAMP_MILLIS), of(std::int64_t{0})) ==
        "\"1970-01-01T00:00:00.000Z\"");
  CHECK(stored(micros(true), of(kMoment)) == "1709251199123456");
}

TEST_CASE("INT96 is a timestamp of nine digits, or hex if the year is out of range") {
  const SchemaElement element = leaf(Type::INT96);
  CHECK(shown(element, int96(1, 2'440'588)) == "\"1970-01-01T00:00:00.000000001\"");
  CHECK(shown(element, int96(-1, 2'440'588)) == "\"1969-12-31T23:59:59.999999999\"");
  CHECK(shown(element, int96(0, INT32_MAX)) == "\"0000000000000000ffffff7f\"");
  CHECK(stored(element, int96(1, 2'440'588)) == "\"01000000000000008c3d2500\"");
}

TEST_CASE("text is a string, or hex in an object if it is not UTF-8") {
  const SchemaElement text = converted(leaf(Type::BYTE_ARRAY), ConvertedType::UTF8);
  CHECK(shown(text, of("größe")) == "\"größe\"");
  CHECK(shown(text, of("a\"\\\n\x1b")) == R"("a\"\\\u000a\u001b")");
  CHECK(shown(text, {0xE2, 0x80, 0xAE}) == R"("\u202e")");  // reverses the direction of writing
  CHECK(shown(text, {0x61, 0xFF}) == R"({"hex":"61ff"})");
  CHECK(shown(logical(leaf(Type::BYTE_ARRAY), LogicalType::id_JSON), of("{}")) == "\"{}\"");
  CHECK(shown(logical(leaf(Type::BYTE_ARRAY), LogicalType::id_BSON), of("ab")) == "\"6162\"");
  CHECK(shown(leaf(Type::BYTE_ARRAY), of("ab")) == "\"6162\"");
  CHECK(stored(text, of("ab")) == "\"6162\"");
}

TEST_CASE("UUID and INTERVAL have their usual forms") {
  Bytes bytes(16);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 17);
  CHECK(shown(logical(leaf(Type::FIXED_LEN_BYTE_ARRAY, 16), LogicalType::id_UUID), bytes) ==
        "\"00112233-4455-6677-8899-aabbccddeeff\"");
  const Bytes span{1, 0, 0, 0, 2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
  const SchemaElement interval = converted(leaf(Type::FIXED_LEN_BYTE_ARRAY, 12), ConvertedType::INTERVAL);
  const std::string parts = R"({"months":1,"days":2,"milliseconds":4294967295})";
  CHECK(shown(interval, span) == parts);
  CHECK(shown(logical(interval, LogicalType::id_UNKNOWN), span) == parts);
}

TEST_CASE("an annotation that does not fit the physical type is ignored") {
  CHECK(shown(converted(leaf(Type::INT32), ConvertedType::UTF8), of(std::int32_t{5})) == "5");
  CHECK(shown(logical(leaf(Type::FIXED_LEN_BYTE_ARRAY, 3), LogicalType::id_UUID), {1, 2, 3}) == "\"010203\"");
  CHECK(shown(logical(leaf(Type::FIXED_LEN_BYTE_ARRAY, 1), LogicalType::id_FLOAT16), {1}) == "\"01\"");
  CHECK(shown(converted(leaf(Type::FIXED_LEN_BYTE_ARRAY, 2), ConvertedType::INTERVAL), {1, 2}) == "\"0102\"");
  CHECK(shown(converted(leaf(Type::DOUBLE), ConvertedType::DATE), of(1.5)) == "1.5");
}

}  // namespace
