#include <catch2/catch_test_macros.hpp>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

Decoded booleans(const char* section, std::uint64_t count) {
  return decode(hex(section), spec_of(Encoding::RLE, Type::BOOLEAN, count));
}

}  // namespace

TEST_CASE("RLE booleans are a length and hybrid runs of one bit") {  // Encodings.md#RLE
  const Decoded repeated = booleans("02000000 1001", 8);
  CHECK(repeated.booleans == std::vector<std::uint8_t>(8, 1));
  CHECK(repeated.clean());
  const Decoded packed = booleans("02000000 03 8d", 8);
  CHECK(packed.booleans == std::vector<std::uint8_t>{1, 0, 1, 1, 0, 0, 0, 1});
  CHECK(packed.clean());
}

TEST_CASE("a length prefix that differs from the rest of the section is an error at the prefix",
          "[rle/boolean-length]") {
  for (const char* section : {"03000000 1001", "01000000 1001", "08000000 1001", "0200", ""}) {
    INFO(section);
    CHECK_ERROR(booleans(section, 8).error, Rule::rle_boolean_length, 0);
  }
  CHECK(booleans("03000000 1001", 8).error->found == 3);
  CHECK(booleans("03000000 1001", 8).error->expected == 2);
}

TEST_CASE("RLE booleans without their length prefix are noted and decoded", "[rle/boolean-length]") {
  const Decoded decoded = booleans("1001", 8);
  CHECK(decoded.booleans == std::vector<std::uint8_t>(8, 1));
  CHECK_FALSE(decoded.error);
  CHECK_NOTE(decoded, Rule::rle_boolean_length, 0);
  const Decoded longer = booleans("0601 0400 0601 03ff", 16);
  CHECK(longer.booleans.size() == 16);
  CHECK_NOTE(longer, Rule::rle_boolean_length, 0);
}

TEST_CASE("RLE booleans follow the rules of hybrid runs, at absolute offsets",
          "[rle/trailing-bytes][rle/value-count]") {
  CHECK_ERROR(booleans("03000000 1001 00", 8).error, Rule::rle_trailing_bytes, 6);
  CHECK_ERROR(booleans("02000000 1001", 9).error, Rule::rle_value_count, 6);
  CHECK_ERROR(booleans("02000000 1002", 8).error, Rule::rle_repeated_value_range, 5);
  CHECK_NOTE(booleans("02000000 1201", 8), Rule::rle_overshoot, 4);
}

}  // namespace parqproof
