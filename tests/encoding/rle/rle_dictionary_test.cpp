#include <catch2/catch_test_macros.hpp>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

Decoded indices(const char* section, std::uint64_t count, std::uint64_t dictionary_size,
                std::uint64_t most = UINT64_MAX) {
  const ValueSpec spec{.encoding = Encoding::RLE_DICTIONARY,
                       .type = Type::BYTE_ARRAY,
                       .count = count,
                       .dictionary_size = dictionary_size};
  return decode(hex(section), spec, most);
}

}  // namespace

TEST_CASE(
    "dictionary indices are a width byte and hybrid runs, in batches of any size") {  // parquet.thrift#SizeStatistics
  CHECK(indices("02 03 9000", 4, 3).indices == std::vector<std::uint32_t>{0, 0, 1, 2});
  CHECK(indices("02 0400 0201 0202", 4, 3).indices == std::vector<std::uint32_t>{0, 0, 1, 2});
  CHECK(indices("02 0400 0201 0202", 4, 3).clean());
  CHECK(indices("00 d00f", 1000, 1).indices == std::vector<std::uint32_t>(1000, 0));
  CHECK(indices("00 d00f", 1000, 1).clean());
}

TEST_CASE("a missing width byte, or one above 32, is an error at its offset", "[dictionary/bit-width]") {
  CHECK_ERROR(indices("21 02 0000000000", 1, 1).error, Rule::dictionary_bit_width, 0, 33, 32);
  CHECK_ERROR(indices("", 1, 1).error, Rule::dictionary_bit_width, 0);
  CHECK(indices("", 1, 1).error->length == 0);
  CHECK_FALSE(indices("20 02 00000000", 1, 1).error);
}

TEST_CASE("a larger width than the dictionary needs is noted at the width byte",
          "[dictionary/bit-width-minimal]") {
  CHECK_NOTE(indices("03 0800", 4, 4), Rule::dictionary_bit_width_minimal, 0, 3, 2);
  CHECK(indices("02 0800", 4, 4).clean());
  CHECK(indices("01 0800", 4, 1).clean());
  CHECK(indices("03 0800", 4, 5).clean());
}

TEST_CASE("an index beyond the dictionary is an error at the run that holds it", "[dictionary/index-range]") {
  CHECK_ERROR(indices("02 0400 0403", 4, 3).error, Rule::dictionary_index_range, 3, 3, 3);
  CHECK_ERROR(indices("02 0400 03 d000", 6, 3).error, Rule::dictionary_index_range, 3, 3, 3);
  CHECK_ERROR(indices("00 02", 1, 0).error, Rule::dictionary_index_range, 1);
}

TEST_CASE("padding of the last group is not read as indices", "[dictionary/index-range]") {
  CHECK(indices("02 03 d0ff", 2, 3).indices == std::vector<std::uint32_t>{0, 0});
  CHECK(indices("02 03 d0ff", 2, 3).clean());
}

TEST_CASE("bytes after the last run of indices are an error at the first of them", "[rle/trailing-bytes]") {
  const Decoded decoded = indices("02 0801 0000", 4, 3);
  CHECK(decoded.indices.size() == 4);
  CHECK_ERROR(decoded.error, Rule::rle_trailing_bytes, 3);
  CHECK(decoded.error->length == 2);
}

TEST_CASE("a run of 2^31-1 indices takes one batch") {
  const Decoded decoded = indices("00 feffffff0f", INT32_MAX, 1, 10);
  CHECK(decoded.count == INT32_MAX);
  CHECK(decoded.clean());
}

}  // namespace parqproof
