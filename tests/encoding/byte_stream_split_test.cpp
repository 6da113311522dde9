#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

Decoded split(const Bytes& section, Type type, std::uint64_t count, std::uint32_t type_length = 0) {
  return decode(section, spec_of(Encoding::BYTE_STREAM_SPLIT, type, count, type_length));
}

}  // namespace

TEST_CASE("split streams hold the example of the specification") {  // Encodings.md#BYTESTREAMSPLIT
  const Bytes section = hex("aa00a3 bb11b4 cc22c5 dd33d6");
  const Bytes values = hex("aabbccdd 00112233 a3b4c5d6");
  CHECK(split(section, Type::FLOAT, 3).fixed == values);
  CHECK(split(section, Type::FLOAT, 3).clean());
  CHECK(split(section, Type::INT32, 3).fixed == values);
  CHECK(split(section, Type::FIXED_LEN_BYTE_ARRAY, 3, 4).fixed == values);
  CHECK(split(section, Type::FIXED_LEN_BYTE_ARRAY, 4, 3).fixed == hex("aa11c5 00b4dd a3cc33 bb22d6"));
  const std::vector<std::uint32_t> numbers{0xDDCCBBAA, 0x33221100, 0xD6C5B4A3};
  CHECK(encode(Encoding::BYTE_STREAM_SPLIT, plain_numbers(Type::FLOAT, numbers)) == section);
}

TEST_CASE("split streams have exactly the bytes of their values", "[byte-stream-split/length]") {
  for (const std::size_t size : {0UL, 23UL, 25UL}) {
    CHECK_ERROR(split(Bytes(size), Type::DOUBLE, 3).error, Rule::byte_stream_split_length, 0, size, 24);
  }
}

TEST_CASE("batches of split streams continue where the batch before ended") {
  std::vector<std::uint64_t> numbers(3 * kBatchValues + 1);
  std::iota(numbers.begin(), numbers.end(), 0x0102030405060708);
  const Bytes section = encode(Encoding::BYTE_STREAM_SPLIT, plain_numbers(Type::INT64, numbers));
  CHECK(split(section, Type::INT64, numbers.size()).numbers<std::uint64_t>() == numbers);
  // Values so long that a batch has few of them.
  const Bytes lengthy(5 * 200'000, 7);
  CHECK(split(lengthy, Type::FIXED_LEN_BYTE_ARRAY, 5, 200'000).fixed == lengthy);
}

}  // namespace parqproof
