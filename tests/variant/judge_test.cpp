// Metadata and values of Variants byte by byte, as VariantEncoding.md describes them, and each fault of them.
#include "codec/variant/judge.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tests/variant/variant_support.hpp"

namespace parqproof {
namespace {

using variant::Judge;
using variant::Metadata;

constexpr std::uint32_t kDepth = 8;
constexpr std::string_view kNamesHex = "11 03 00 01 02 03 61 62 63";  // a, b, c

std::vector<Violation> faults_of_metadata(std::string_view hex, bool with_advice = false) {
  const Bytes bytes = from_hex(hex);
  Metadata metadata;
  Collected faults;
  faults.with_advice = with_advice;
  metadata.read({bytes, 100}, faults);
  return faults.all;
}

/// Faults of a value whose first byte is at offset 0.
std::vector<Violation> faults_of(std::string_view hex, std::string_view names = kNamesHex,
                                 bool with_advice = false) {
  const Bytes dictionary = from_hex(names);
  const Bytes bytes = from_hex(hex);
  Metadata metadata;
  Collected faults;
  faults.with_advice = with_advice;
  metadata.read({dictionary, 0}, faults);
  REQUIRE(faults.all.empty());
  Judge judge(kDepth);
  judge.judge(metadata, {bytes, 0}, "$", faults);
  return faults.all;
}

using All = std::vector<Violation>;

}  // namespace

TEST_CASE("metadata with sorted and unsorted names of any width has no fault") {
  CHECK(faults_of_metadata("01 00 00") == All{});
  CHECK(faults_of_metadata("11 00 00") == All{});
  CHECK(faults_of_metadata(kNamesHex) == All{});
  CHECK(faults_of_metadata("01 02 00 01 02 62 61") == All{});
  CHECK(faults_of_metadata("01 02 00 01 02 61 61") == All{});
  CHECK(faults_of_metadata("d1 01000000 00000000 01000000 61") == All{});
  CHECK(faults_of_metadata("31 00 00") == All{});
  CHECK(faults_of_metadata("31 00 00", true) == All{{"variant/reserved-bits", 100, 1, ""}});
  CHECK(faults_of_metadata("51 0000 0000", true) == All{{"variant/wide", 100, 1, ""}});
}

TEST_CASE("each fault of metadata is reported at the bytes at fault") {
  CHECK(faults_of_metadata("") == All{{"variant/metadata", 100, 0, ""}});
  CHECK(faults_of_metadata("02 00 00") == All{{"variant/metadata", 100, 1, ""}});
  CHECK(faults_of_metadata("01") == All{{"variant/metadata", 100, 1, ""}});
  CHECK(faults_of_metadata("01 00") == All{{"variant/metadata", 100, 2, ""}});
  CHECK(faults_of_metadata("01 02 00 01 61") == All{{"variant/metadata", 104, 1, ""}});
  CHECK(faults_of_metadata("01 01 01 01 61") == All{{"variant/metadata", 102, 1, ""}});
  CHECK(faults_of_metadata("01 02 00 02 01 61") == All{{"variant/metadata", 104, 1, ""}});
  CHECK(faults_of_metadata("01 01 00 01 61 62") == All{{"variant/metadata", 105, 1, ""}});
  CHECK(faults_of_metadata("c1 ffffffff 00000000") == All{{"variant/metadata", 101, 4, ""}});
  CHECK(faults_of_metadata("01 01 00 01 ff") == All{{"variant/metadata-utf8", 104, 1, ""}});
  CHECK(faults_of_metadata("01 02 00 01 02 c3 a9") == All{{"variant/metadata-utf8", 105, 1, ""}});
  CHECK(faults_of_metadata("11 02 00 01 02 62 61") == All{{"variant/metadata-sorted", 106, 1, ""}});
  CHECK(faults_of_metadata("11 02 00 01 02 61 61") == All{{"variant/metadata-sorted", 106, 1, ""}});
}

TEST_CASE("a name is found in sorted and in unsorted dictionaries") {
  Collected faults;
  const Bytes unsorted = from_hex("01 03 00 01 02 03 62 63 61");
  Metadata metadata;
  metadata.read({unsorted, 0}, faults);
  CHECK(metadata.find("a") == 2);
  CHECK(metadata.find("b") == 0);
  CHECK(metadata.find("c") == 1);
  CHECK_FALSE(metadata.find("d"));
  CHECK_FALSE(metadata.find(""));
  const Bytes sorted = from_hex(kNamesHex);
  metadata.read({sorted, 0}, faults);
  CHECK(metadata.find("c") == 2);
  CHECK_FALSE(metadata.find("ab"));
}

TEST_CASE("complete values of every type have no fault") {
  for (const std::string_view value : {"00",
                                       "04",
                                       "08",
                                       "0c ff",
                                       "10 0001",
                                       "14 00000001",
                                       "18 0000000000000001",
                                       "1c 0000000000000000",
                                       "20 02 ffc99a3b",
                                       "24 12 ffff63a7b3b6e00d",
                                       "28 26 ffffffff3f228a097ac4865aa84c3b4b",
                                       "2c 00000000",
                                       "30 0000000000000000",
                                       "34 0000000000000000",
                                       "38 00000000",
                                       "3c 02000000 ff00",
                                       "40 01000000 61",
                                       "44 ff5fd71d14000000",
                                       "48 0000000000000000",
                                       "4c 0000000000000000",
                                       "50 00112233445566778899aabbccddeeff",
                                       "01",
                                       "05 61",
                                       "09 c3a9",
                                       "02 00 00",
                                       "03 00 00",
                                       "02 01 02 00 01 00",
                                       "02 02 00 01 00 01 02 00 04",
                                       "02 02 00 01 01 00 02 00 04",
                                       "03 02 00 01 02 00 00",
                                       "13 02000000 00 01 02 00 00",
                                       "0f 01 00000000 01000000 00"}) {
    INFO(value);
    CHECK(faults_of(value) == All{});
  }
}

TEST_CASE("incomplete values and unknown types are reported at the value") {
  CHECK(faults_of("") == All{{"variant/value", 0, 0, "$"}});
  CHECK(faults_of("54") == All{{"variant/value", 0, 1, "$"}});
  CHECK(faults_of("fc") == All{{"variant/value", 0, 1, "$"}});
  CHECK(faults_of("14 000000") == All{{"variant/value", 0, 4, "$"}});
  CHECK(faults_of("00 00") == All{{"variant/value", 1, 1, "$"}});
  CHECK(faults_of("3c ffffffff 00") == All{{"variant/value", 0, 6, "$"}});
  CHECK(faults_of("09 61") == All{{"variant/value", 0, 2, "$"}});
  CHECK(faults_of("03 ff 00") == All{{"variant/value", 0, 3, "$"}});
  CHECK(faults_of("13 ffffffff 00") == All{{"variant/value", 0, 6, "$"}});
  CHECK(faults_of("03 02 00 01 02 54 54") == All{{"variant/value", 5, 1, "$[0]"}});
  CHECK(faults_of("03 02 00 01 02 00 54") == All{{"variant/value", 6, 1, "$[1]"}});
  CHECK(faults_of("02 01 01 00 02 09 61") == All{{"variant/value", 5, 2, "$.b"}});
  CHECK(faults_of("03 01 00 06 03 01 00 02 14 00") == All{{"variant/value", 8, 2, "$[0][0]"}});
}

TEST_CASE("ids and names of fields are judged by the dictionary") {
  CHECK(faults_of("02 01 03 00 01 00") == All{{"variant/field-id", 2, 1, "$"}});
  CHECK(faults_of("02 02 01 00 00 01 02 00 00") == All{{"variant/field-order", 3, 1, "$"}});
  CHECK(faults_of("02 02 01 01 00 01 02 00 00") == All{{"variant/field-unique", 3, 1, "$"}});
  const std::string_view unsorted = "01 03 00 01 02 03 62 61 61";
  CHECK(faults_of("02 02 01 00 00 01 02 00 00", unsorted) == All{});
  CHECK(faults_of("02 02 00 01 00 01 02 00 00", unsorted) == All{{"variant/field-order", 3, 1, "$"}});
  CHECK(faults_of("02 02 01 02 00 01 02 00 00", unsorted) == All{{"variant/field-unique", 3, 1, "$"}});
}

TEST_CASE("offsets are judged by the values that they delimit") {
  // not before the last one
  CHECK(faults_of("03 02 00 05 02 00 00") == All{{"variant/offsets", 3, 1, "$"}});
  // inside of another value
  CHECK(faults_of("03 02 00 01 04 0c 00 0c 00") == All{{"variant/offsets", 3, 1, "$"}});
  // a last offset after the values
  CHECK(faults_of("03 02 00 01 03 00 00 00") == All{{"variant/offsets", 4, 1, "$"}});
  CHECK(faults_of("03 00 01 00") == All{{"variant/offsets", 2, 1, "$"}});
  CHECK(faults_of("03 01 00 06 03 01 00 02 00 00") == All{{"variant/offsets", 7, 1, "$[0]"}});
}

TEST_CASE("gaps between values and shared values are warnings") {
  CHECK(faults_of("03 02 00 02 03 00 00 00") == All{{"variant/value-area", 3, 1, "$"}});
  CHECK(faults_of("03 01 01 02 00 00") == All{{"variant/value-area", 2, 1, "$"}});
  CHECK(faults_of("03 02 00 00 01 00") == All{{"variant/value-area", 3, 1, "$"}});
  // A value after a gap is judged.
  CHECK(faults_of("03 02 00 02 04 00 00 05 ff") ==
        All{{"variant/value-area", 3, 1, "$"}, {"variant/utf8", 8, 1, "$[1]"}});
}

TEST_CASE("the data of primitives are judged") {
  CHECK(faults_of("20 27 00000000") == All{{"variant/decimal", 1, 1, "$"}});
  CHECK(faults_of("20 00 00ca9a3b") == All{{"variant/decimal", 2, 4, "$"}});
  CHECK(faults_of("20 00 003665c4") == All{{"variant/decimal", 2, 4, "$"}});
  CHECK(faults_of("24 00 000064a7b3b6e00d") == All{{"variant/decimal", 2, 8, "$"}});
  CHECK(faults_of("28 00 0000000040228a097ac4865aa84c3b4b") == All{{"variant/decimal", 2, 16, "$"}});
  CHECK(faults_of("28 00 00000000000000000000000000000080") == All{{"variant/decimal", 2, 16, "$"}});
  CHECK(faults_of("44 0060d71d14000000") == All{{"variant/time-range", 1, 8, "$"}});
  CHECK(faults_of("44 ffffffffffffffff") == All{{"variant/time-range", 1, 8, "$"}});
  CHECK(faults_of("05 ff") == All{{"variant/utf8", 1, 1, "$"}});
  CHECK(faults_of("40 02000000 61ff") == All{{"variant/utf8", 5, 2, "$"}});
}

TEST_CASE("advice names reserved bits and widths") {
  CHECK(faults_of("82 00 00", kNamesHex, true) == All{{"variant/reserved-bits", 0, 1, "$"}});
  CHECK(faults_of("23 00 00", kNamesHex, true) == All{{"variant/reserved-bits", 0, 1, "$"}});
  CHECK(faults_of("42 00000000 00", kNamesHex, true) == All{{"variant/wide", 0, 1, "$"}});
  CHECK(faults_of("06 00 0000", kNamesHex, true) == All{{"variant/wide", 0, 1, "$"}});
  CHECK(faults_of("12 01 0000 0001 00", kNamesHex, true) == All{{"variant/wide", 0, 1, "$"}});
}

TEST_CASE("values that are nested deeper than the limit are not entered") {
  std::string value = "00";
  const auto wrap = [&] {
    const std::size_t size = from_hex(value).size();
    constexpr std::string_view kDigits = "0123456789abcdef";
    value = std::string("03 01 00 ") + kDigits[size / 16] + kDigits[size % 16] + " " + value;
  };
  for (std::uint32_t i = 1; i < kDepth; ++i) wrap();
  CHECK(faults_of(value) == All{});
  wrap();
  CHECK(faults_of(value) == All{{"variant/depth", 32, 1, "$[0][0][0][0][0][0][0][0]"}});
}

TEST_CASE("offsets that share bytes do not multiply the work") {
  // Each array has two offsets to the next one: 2^60 paths.
  Bytes value{0x00};
  for (int i = 0; i < 60; ++i) {
    Bytes outer{0x07, 0x02, 0, 0, 0, 0};
    outer.push_back(static_cast<std::uint8_t>(value.size()));
    outer.push_back(static_cast<std::uint8_t>(value.size() >> 8));
    outer[0] = 0x07;
    value.insert(value.begin(), outer.begin(), outer.end());
  }
  Metadata metadata;
  Collected faults;
  const Bytes names = from_hex(kNamesHex);
  metadata.read({names, 0}, faults);
  Judge judge(100);
  judge.judge(metadata, {value, 0}, "$", faults);
  CHECK(faults.all.size() == 60);
}

TEST_CASE("paths quote names that are no words") {
  std::string path = "$";
  variant::append_field(path, "a_1");
  variant::append_field(path, "b c");
  variant::append_field(path, "");
  CHECK(path == R"($.a_1["b c"][""])");
}

}  // namespace parqproof
