// What findings found and expected: values, and the text that reports make of them.
#include "codec/rules/finding_value.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codec/format/enums.hpp"
#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

template <typename T>
std::vector<std::uint8_t> plain(T value) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return {bytes, bytes + sizeof value};
}

Node leaf_of(Type type, LogicalKind kind = LogicalKind::none) {
  return {.type = type, .logical = {.kind = kind}, .is_leaf = true};
}

}  // namespace

TEST_CASE("the text of every kind of value reads as reports have always shown it", "[unit]") {
  using Range = FindingValue::Range;
  const std::pair<FindingValue, std::string> cases[] = {
      {FindingValue(), ""},
      {kAbsent, "absent"},
      {-7, "-7"},
      {INT64_MIN, "-9223372036854775808"},
      {UINT64_MAX, "18446744073709551615"},
      {symbol(kEncodingEnum, Encoding::RLE), "RLE"},
      {symbol(kEncodingEnum, 77), "77"},
      {symbol(kEncodingEnum, -77), "-77"},
      {count_of_bytes(0), "0 bytes"},
      {count_of_bytes(1), "1 byte"},
      {count_of_bytes(12), "12 bytes"},
      {between(0, 0), "0 to 0"},
      {between(-128, 127), "-128 to 127"},
      {between(0, UINT64_MAX), "0 to 18446744073709551615"},
      {number_or_between(0, 0), "0"},
      {number_or_between(0, 3), "0 to 3"},
      {at_least(-5), "at least -5"},
      {at_most(40), "at most 40"},
      {or_more(0), "0 or more"},
      {or_less(9), "9 or less"},
      {more_than(2), "more than 2"},
      {less_than(2), "less than 2"},
      {Range(Range::Form::at_most, UINT64_MAX), "at most 18446744073709551615"},
      {hex_word(0x00C0FFEE), "0x00c0ffee"},
      {FindingValue::Bytes{{0xFF}, 1}, "0xff"},
      {FindingValue::Bytes{{'P', 'A', 'R', '1'}, 4, true}, "PAR1"},
      {FindingValue::Bytes{{'P', 'A', 'R', 0}, 4, true}, "50 41 52 00"},
      {FindingValue::Literal{"2024-02-29"}, "2024-02-29"},
      {"a page header", "a page header"},
      {"", ""},
  };
  for (const auto& [value, text] : cases) CHECK(plain_text(value) == text);
}

TEST_CASE("numbers are grouped wherever a value has them, and never in a phrase", "[unit]") {
  const std::pair<FindingValue, std::string> cases[] = {
      {9999, "9999"},
      {-12345, "-12,345"},
      {symbol(kEncodingEnum, 12345), "12,345"},
      {count_of_bytes(12345), "12,345 bytes"},
      {between(-32768, 32767), "-32,768 to 32,767"},
      {at_most(65536), "at most 65,536"},
      {FindingValue::Literal{"12345"}, "12,345"},
      {FindingValue::Literal{"12345.5"}, "12345.5"},
      {hex_word(0x00012345), "0x00012345"},
      {"12345", "12345"},
      {"at most 12345", "at most 12345"},
  };
  for (const auto& [value, text] : cases) CHECK(grouped(value) == text);
}

TEST_CASE("equal numbers are equal whatever their types are, and a number is no text", "[unit]") {
  CHECK(FindingValue(std::int32_t{5}) == FindingValue(std::uint64_t{5}));
  CHECK(FindingValue(std::int8_t{-1}) == FindingValue(std::int64_t{-1}));
  CHECK(FindingValue(std::int64_t{-1}) != FindingValue(UINT64_MAX));
  CHECK(FindingValue(5) != FindingValue("5"));
  CHECK(FindingValue("absent") != FindingValue(kAbsent));
  CHECK(at_most(5) != at_least(5));
  CHECK(between(1, 5) != between(1, 6));
}

TEST_CASE("a number is read out of a value that is a natural number, and out of no other", "[unit]") {
  CHECK(FindingValue(0).natural() == 0);
  CHECK(FindingValue(UINT64_MAX).natural() == UINT64_MAX);
  CHECK_FALSE(FindingValue(-1).natural());
  CHECK_FALSE(FindingValue(more_than(5)).natural());
  CHECK_FALSE(FindingValue("5").natural());
  CHECK_FALSE(FindingValue().natural());
}

TEST_CASE("an empty text is nothing, and a long one is cut and marked", "[unit]") {
  CHECK(FindingValue("").empty());
  CHECK(FindingValue(std::string()).empty());
  CHECK_FALSE(FindingValue(0).empty());
  CHECK_FALSE(FindingValue(kAbsent).empty());
  FindingValue text(std::string(301, 'x'));
  text.shorten(300);
  CHECK(text == FindingValue(std::string(300, 'x') + "..."));
  FindingValue fits(std::string(300, 'x'));
  fits.shorten(300);
  CHECK(fits == FindingValue(std::string(300, 'x')));
  FindingValue number(1234567);
  number.shorten(3);
  CHECK(number == FindingValue(1234567));
}

TEST_CASE("a finding stays small where it has no text", "[unit]") {
  CHECK(sizeof(FindingValue) <= sizeof(std::string) + sizeof(void*));
  CHECK(sizeof(Finding) <= 256);
}

TEST_CASE("a value of a column is an integer, a literal or a phrase, and its text is the short one",
          "[unit]") {
  Node unsigned_leaf = leaf_of(Type::INT32, LogicalKind::INTEGER);
  unsigned_leaf.logical.bit_width = 32;
  Node decimal = leaf_of(Type::INT32, LogicalKind::DECIMAL);
  decimal.logical.precision = 9;
  decimal.logical.scale = 2;
  Node long_decimal = decimal;
  long_decimal.logical.scale = 200;
  const Node date = leaf_of(Type::INT32, LogicalKind::DATE);
  const std::uint8_t text[] = {'1', '2'};
  struct Case {
    Node leaf;
    std::vector<std::uint8_t> value;
    FindingValue is;
  };
  const Case cases[] = {
      {leaf_of(Type::INT32), plain(std::int32_t{-12}), -12},
      {leaf_of(Type::INT64), plain(INT64_MIN), INT64_MIN},
      {leaf_of(Type::DOUBLE), plain(1.5), FindingValue::Literal{"1.5"}},
      {leaf_of(Type::FLOAT), plain(1e30F), FindingValue::Literal{"1e+30"}},
      {leaf_of(Type::FLOAT), plain(-__builtin_nanf("")), "-NaN"},
      {decimal, plain(std::int32_t{-1250}), FindingValue::Literal{"-12.50"}},
      {date, plain(std::int32_t{19782}), FindingValue::Literal{"2024-02-29"}},
      {date, plain(INT32_MAX), INT32_MAX},
      {leaf_of(Type::BYTE_ARRAY), {std::begin(text), std::end(text)}, "\"12\""},
  };
  for (const Case& one : cases) {
    CHECK(short_value(one.value, one.leaf) == one.is);
    CHECK(plain_text(short_value(one.value, one.leaf)) == short_text(one.value, one.leaf));
  }
  for (const Node& leaf : {unsigned_leaf, long_decimal}) {
    const std::vector<std::uint8_t> value = plain(UINT32_MAX);
    CHECK(plain_text(short_value(value, leaf)) == short_text(value, leaf));
  }
  CHECK(short_value_or_more(plain(std::int32_t{7}), leaf_of(Type::INT32)) == FindingValue(or_more(7)));
  CHECK(short_value_or_less(plain(std::int32_t{7}), leaf_of(Type::INT32)) == FindingValue(or_less(7)));
  CHECK(plain_text(short_value_or_more(plain(1.5), leaf_of(Type::DOUBLE))) == "1.5 or more");
}

}  // namespace parqproof
