#include "codec/encoding/rle/bit_packed.hpp"

#include <catch2/catch_test_macros.hpp>

#include "codec/base/bits.hpp"
#include "tests/encoding/decode.hpp"
#include "tests/rapidcheck.hpp"

namespace parqproof {
namespace {

struct Levels : support::Faults {
  std::vector<std::uint32_t> values;
  std::vector<std::uint64_t> offsets;
  std::size_t rest = 0;
};

Levels levels_of(const Bytes& bytes, unsigned width, std::uint64_t count) {
  Levels levels;
  BitPackedDecoder decoder;
  if (const Status opened = decoder.open({bytes, kBase, Space::page}, width, count, levels.notes); !opened) {
    levels.error = opened.error();
    return levels;
  }
  for (auto batch = decoder.next(); batch.count != 0; batch = decoder.next()) {
    levels.values.insert(levels.values.end(), batch.values, batch.values + batch.count);
    levels.offsets.push_back(batch.run_offset);
  }
  levels.rest = decoder.rest().size();
  return levels;
}

}  // namespace

TEST_CASE("bit-packed levels hold the example of the specification") {  // Encodings.md#BITPACKED
  const std::vector<std::uint32_t> values{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(levels_of(hex("053977"), 3, 8).values == values);
  CHECK(levels_of(hex("fffffffffffffff0"), 2, 30).values == std::vector<std::uint32_t>(30, 3));
  CHECK(levels_of(hex("fffffffffffffff0"), 2, 30).notes.all().empty());
  Bytes bytes;
  append_bit_packed(values, 3, bytes);
  CHECK(bytes == hex("053977"));
}

TEST_CASE("bit-packed levels end with their last byte, whatever follows") {
  CHECK(levels_of(hex("053977 aabb"), 3, 8).rest == 2);
  CHECK(levels_of({}, 3, 0).rest == 0);
}

TEST_CASE("truncated bit-packed levels are an error at their first byte", "[bit-packed/length]") {
  const Levels levels = levels_of(hex("0539"), 3, 8);
  CHECK_ERROR(levels.error, Rule::bit_packed_length, 0, 2, 3);
  CHECK_ERROR(levels_of(hex("0539"), 32, UINT64_MAX / 32).error, Rule::bit_packed_length, 0);
}

TEST_CASE("padding of bit-packed levels that is not zero is noted at the last byte", "[bit-packed/padding]") {
  CHECK_NOTE(levels_of(hex("0539 81"), 3, 7), Rule::bit_packed_padding, 2);
  CHECK(levels_of(hex("0539 70"), 3, 7).notes.all().empty());
}

TEST_CASE("bit-packed levels of every width are read back, in batches with the offset of their first byte") {
  check_property("bit-packed round trip", [] {
    const auto width = *rc::gen::inRange<unsigned>(1, 33);
    const auto count = *rc::gen::inRange<std::size_t>(0, 10'000);
    std::vector<std::uint32_t> values(count);
    auto state = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint32_t& value : values) {
      state = state * 1664525 + 1013904223;
      value = static_cast<std::uint32_t>((state ^ state >> 15) & low_bits(width));
    }
    Bytes bytes;
    append_bit_packed(values, width, bytes);
    RC_ASSERT(bytes.size() == bit_packed_size(count, width));
    const Levels levels = levels_of(bytes, width, count);
    RC_ASSERT(levels.values == values);
    for (std::size_t i = 0; i < levels.offsets.size(); ++i) {
      RC_ASSERT(levels.offsets[i] == kBase + i * HybridDecoder::kBatch * width / 8);
    }
  });
}

}  // namespace parqproof
