#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

Decoded delta32(const Bytes& section, std::uint64_t count) {
  return decode(section, spec_of(Encoding::DELTA_BINARY_PACKED, Type::INT32, count));
}
Decoded delta64(const Bytes& section, std::uint64_t count) {
  return decode(section, spec_of(Encoding::DELTA_BINARY_PACKED, Type::INT64, count));
}
Decoded delta_lengths(const Bytes& section, std::uint64_t count) {
  return decode(section, spec_of(Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, count));
}
Decoded delta_strings(const Bytes& section, std::uint64_t count) {
  return decode(section, spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, count));
}

using I32 = std::vector<std::int32_t>;

}  // namespace

TEST_CASE(
    "delta streams hold the examples of the specification, in blocks of legal size") {  // Encodings.md#DELTAENC
  const Decoded first = delta32(hex("80010405 02 02 00000000"), 5);
  CHECK(first.numbers<std::int32_t>() == I32{1, 2, 3, 4, 5});
  CHECK(first.clean());
  CHECK(delta64(hex("80010405 02 02 00000000"), 5).numbers<std::int64_t>() ==
        std::vector<std::int64_t>{1, 2, 3, 4, 5});
  const Decoded second = delta32(hex("80010408 0e 03 02000000 c03f000000000000"), 8);
  CHECK(second.numbers<std::int32_t>() == I32{7, 5, 3, 1, 2, 3, 4, 5});
  CHECK(second.clean());
  CHECK(delta32(hex("80010401 54"), 1).numbers<std::int32_t>() == I32{42});
}

TEST_CASE("the encoder of delta streams writes the examples of the specification") {
  CHECK(encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, I32{1, 2, 3, 4, 5})) ==
        hex("80010405 02 02 00000000"));
  CHECK(encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, I32{7, 5, 3, 1, 2, 3, 4, 5})) ==
        hex("80010408 0e 03 02000000 c03f000000000000"));
  CHECK(encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, I32{})) == hex("80010400 00"));
}

TEST_CASE("a delta block is the smallest that its miniblocks divide if only their number is given") {
  const std::vector<std::int64_t> numbers{3, 5, -2};
  const PlainValues values = plain_numbers(Type::INT64, numbers);
  for (const std::uint32_t miniblocks :
       {1U, 31U, 1023U, 1024U, 1025U, 1027U, 1028U, 8191U, 8192U, 32'767U, 32'768U}) {
    INFO(miniblocks);
    EncodeOptions options{.miniblocks = miniblocks};
    Bytes section;
    const EncodeStatus status = try_encode(Encoding::DELTA_BINARY_PACKED, values, options, section);
    const std::uint64_t smallest_block = std::lcm(128UL, 32UL * miniblocks);
    REQUIRE(status.has_value() == (smallest_block <= 1'048'576));
    if (!status) continue;
    const Decoded decoded =
        decode(section, spec_of(Encoding::DELTA_BINARY_PACKED, Type::INT64, numbers.size()));
    CHECK_FALSE(decoded.error);
    CHECK(decoded.numbers<std::int64_t>() == numbers);
    options.block_size = static_cast<std::uint32_t>(smallest_block);
    CHECK(section == encode(Encoding::DELTA_BINARY_PACKED, values, options));
  }
}

TEST_CASE("deltas wrap around in the width of the type") {
  const I32 narrow{INT32_MAX, INT32_MIN, 0, -1};
  const Bytes stored = encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, narrow));
  CHECK(Bytes(stored.begin(), stored.begin() + 18) == hex("80010404 feffffff0f ffffffff0f 20000000"));
  CHECK(delta32(stored, 4).numbers<std::int32_t>() == narrow);
  CHECK(delta32(stored, 4).clean());
  const std::vector<std::int64_t> wide{INT64_MAX, INT64_MIN, 0};
  const Bytes stored_wide = encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT64, wide));
  CHECK(delta64(stored_wide, 3).numbers<std::int64_t>() == wide);
}

TEST_CASE("a batch is attributed to its block, or to the start of a stream without blocks") {
  std::vector<std::int32_t> numbers(300);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i % 7);
  const Bytes section = encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, numbers));
  const Decoded blocks = delta32(section, numbers.size());
  CHECK(blocks.batches.back().offset > kBase + 4);
  CHECK(delta32(hex("80010401 0e"), 1).batches.front().offset == kBase);
}

TEST_CASE("padding and the widths of unneeded miniblocks may be anything, and are noted",
          "[delta-binary-packed/padding][delta-binary-packed/unneeded-width]") {
  const Decoded decoded = delta32(hex("80010408 0e 03 02ff3780 c0ffffffffffffff"), 8);
  CHECK(decoded.numbers<std::int32_t>() == I32{7, 5, 3, 1, 2, 3, 4, 5});
  CHECK_FALSE(decoded.error);
  CHECK_NOTE(decoded, Rule::delta_binary_packed_padding, 11);
  CHECK_NOTE(decoded, Rule::delta_binary_packed_unneeded_width, 7);
}

TEST_CASE("a truncated delta header is an error at the truncated or missing number",
          "[delta-binary-packed/header]") {
  const Bytes intact = hex("80010405 02 02 00000000");
  for (const auto& [size, offset] : {std::pair{0U, 0U}, {1U, 0U}, {2U, 2U}, {3U, 3U}, {4U, 4U}}) {
    CHECK_ERROR(delta32(Bytes(intact.begin(), intact.begin() + size), 5).error,
                Rule::delta_binary_packed_header, offset);
  }
}

TEST_CASE("impossible numbers of a delta header are errors at their offsets",
          "[delta-binary-packed/number-range]") {
  CHECK_ERROR(delta32(hex("8001 04 8080808008 00"), 5).error, Rule::delta_binary_packed_number_range, 3);
  CHECK_ERROR(delta32(hex("8001 04 05 8080808010 02 00000000"), 5).error,
              Rule::delta_binary_packed_number_range, 4);
  CHECK_FALSE(delta64(hex("8001 04 05 8080808010 02 00000000"), 5).error);
  CHECK_ERROR(delta64(hex("8001 04 05 ffffffffffffffffff02"), 5).error,
              Rule::delta_binary_packed_number_range, 4);
}

TEST_CASE(
    "a block size that is not a multiple of 128 is reported at its offset, as is a wrong miniblock count",
    "[delta-binary-packed/block-size][delta-binary-packed/miniblock-count][delta-binary-packed/"
    "miniblock-size]") {
  CHECK_ERROR(delta32(hex("08 01 05 02 02 00"), 5).error, Rule::delta_binary_packed_block_size,
              0);  // as printed
  CHECK_ERROR(delta32(hex("00 01 05 02 02 00"), 5).error, Rule::delta_binary_packed_block_size, 0);
  CHECK_ERROR(delta32(hex("8001 00 05 02 02 00"), 5).error, Rule::delta_binary_packed_miniblock_count, 2);
  CHECK_ERROR(delta32(hex("8001 03 05 02 02 00"), 5).error, Rule::delta_binary_packed_miniblock_count, 2);
  CHECK_ERROR(delta32(hex("8001 08 05 02 02 0000000000000000"), 5).error,
              Rule::delta_binary_packed_miniblock_size, 2);
  CHECK(delta32(hex("8001 01 05 02 02 00"), 5).clean());
}

TEST_CASE(
    "a value count that differs from that of the page is an error at the count, in every delta encoding",
    "[delta-binary-packed/total-count][delta-length-byte-array/length-count][delta-byte-array/"
    "stream-counts]") {
  CHECK_ERROR(delta32(hex("80010405 02 02 00000000"), 6).error, Rule::delta_binary_packed_total_count, 3, 5,
              6);
  CHECK_ERROR(delta_lengths(delta_stream({1, 1}), 3).error, Rule::delta_length_byte_array_length_count, 3);
  CHECK_ERROR(delta_strings(delta_stream({0, 0}), 3).error, Rule::delta_byte_array_stream_counts, 3);
  const Bytes prefixes = delta_stream({0, 0});
  CHECK_ERROR(delta_strings(prefixes + delta_stream({1}), 2).error, Rule::delta_byte_array_stream_counts,
              prefixes.size() + 3);
}

TEST_CASE(
    "a missing or truncated delta block is an error at its offset",
    "[delta-binary-packed/block][delta-binary-packed/width-bytes][delta-binary-packed/miniblock-full]") {
  CHECK_ERROR(delta32(hex("80010405 02"), 5).error, Rule::delta_binary_packed_block, 5, 1, 5);
  CHECK_ERROR(delta32(hex("80010405 02 80"), 5).error, Rule::delta_binary_packed_block, 5);
  CHECK_ERROR(delta32(hex("80010405 02 02 000000"), 5).error, Rule::delta_binary_packed_width_bytes, 6);
  CHECK_ERROR(delta32(hex("80010405 02 02"), 5).error, Rule::delta_binary_packed_width_bytes, 6);
  CHECK_ERROR(delta32(hex("80010408 0e 03 02000000 c03f0000000000"), 8).error,
              Rule::delta_binary_packed_miniblock_full, 10, 7, 8);
}

TEST_CASE("a miniblock wider than its type is an error at its width byte, and only above 64 bits unreadable",
          "[delta-binary-packed/bit-width][delta-binary-packed/bit-width-range]") {
  Bytes wide = hex("80010402 00 00 21000000");
  append_packed(wide,
                std::span<const std::uint64_t>(std::vector<std::uint64_t>{(std::uint64_t{1} << 32) + 7}), 33,
                32, 0);
  const Decoded decoded = delta32(wide, 2);
  CHECK(decoded.numbers<std::int32_t>() == I32{0, 7});
  CHECK_FALSE(decoded.error);
  CHECK_NOTE(decoded, Rule::delta_binary_packed_bit_width, 6);
  CHECK(delta64(wide, 2).note(Rule::delta_binary_packed_bit_width) == std::nullopt);
  CHECK_ERROR(delta64(hex("80010402 00 00 41000000"), 2).error, Rule::delta_binary_packed_bit_width_range, 6);
}

TEST_CASE(
    "a delta stream with wider fields than needed is noted",
    "[delta-binary-packed/bit-width-minimal][delta-binary-packed/min-delta][delta-binary-packed/varint-long]"
    "[delta-binary-packed/number-oversized]") {
  // 7, 8, 9: relative deltas 1, 1 of width 2 above a min delta of 0.
  const Decoded wide = delta32(hex("80010403 0e 00 02000000 0500000000000000"), 3);
  CHECK(wide.numbers<std::int32_t>() == I32{7, 8, 9});
  CHECK_NOTE(wide, Rule::delta_binary_packed_bit_width_minimal, 6);
  CHECK_NOTE(wide, Rule::delta_binary_packed_min_delta, 5);
  const Decoded longer = delta32(hex("808180808000 04 01 54"), 1);
  CHECK(longer.numbers<std::int32_t>() == I32{42});
  CHECK_NOTE(longer, Rule::delta_binary_packed_varint_long, 0, 6, 2);
  const Decoded count = delta32(hex("8001 04 818080808000 54"), 1);
  CHECK(count.numbers<std::int32_t>() == I32{42});
  CHECK_NOTE(count, Rule::delta_binary_packed_varint_long, 3);
  const Decoded block = delta32(hex("8080808010 01 01 54"), 1);  // a block of 2^32 values
  CHECK(block.numbers<std::int32_t>() == I32{42});
  CHECK_NOTE(block, Rule::delta_binary_packed_number_oversized, 0);
}

TEST_CASE("a min delta out of range of the type is noted and taken modulo",
          "[delta-binary-packed/number-oversized]") {
  const Decoded decoded = delta32(hex("80010402 00 8280808020 00000000"), 2);  // 2^32 + 1
  CHECK(decoded.numbers<std::int32_t>() == I32{0, 1});
  CHECK_NOTE(decoded, Rule::delta_binary_packed_number_oversized, 5);
}

TEST_CASE("bytes after a delta stream are an error at the first of them", "[page/trailing-bytes]") {
  CHECK_ERROR(delta32(hex("80010401 54 00"), 1).error, Rule::page_trailing_bytes, 5);
  CHECK_ERROR(delta32(hex("80010405 02 02 00000000 0000"), 5).error, Rule::page_trailing_bytes, 10);
}

TEST_CASE("a few bytes that claim a huge block take little memory") {
  CHECK_ERROR(delta32(hex("80ffffff07 01 04 00 02 01"), 4).error, Rule::delta_binary_packed_miniblock_full,
              10);
  CHECK(delta32(hex("80ffffff07 01 04 00 02 00"), 4).numbers<std::int32_t>() == I32{0, 1, 2, 3});
}

TEST_CASE("delta lengths precede all bytes") {  // Encodings.md#DELTALENGTH
  const std::vector<std::string> strings{"Hello", "World", "Foobar", "ABCDEF"};
  const Bytes section = delta_stream({5, 5, 6, 6}) + text("HelloWorldFoobarABCDEF");
  CHECK(delta_lengths(section, 4).byte_arrays == strings);
  CHECK(delta_lengths(section, 4).clean());
  const PlainStrings values(strings);
  CHECK(encode(Encoding::DELTA_LENGTH_BYTE_ARRAY, values.values) == section);
}

TEST_CASE("a negative length is an error at the length stream", "[delta-length-byte-array/negative-length]") {
  const Decoded decoded = delta_lengths(delta_stream({1, 0xFFFFFFFF}) + text("a"), 2);
  CHECK_ERROR(decoded.error, Rule::delta_length_byte_array_negative_length, 0, -1, 0);
  CHECK(decoded.error->ordinal == 1);
}

TEST_CASE("errors of a decoded number have its ordinal, also in later batches",
          "[delta-length-byte-array/negative-length][delta-byte-array/prefix-range]") {
  std::vector<std::uint32_t> numbers(10'000, 0);
  numbers[9'000] = 0xFFFFFFFF;
  CHECK(delta_lengths(delta_stream(numbers), numbers.size()).error->ordinal == 9'000);
  const Bytes suffixes = delta_stream(std::vector<std::uint32_t>(numbers.size(), 0));
  CHECK(delta_strings(delta_stream(numbers) + suffixes, numbers.size()).error->ordinal == 9'000);
}

TEST_CASE("a stream of no values whose first value is not 0 is noted there",
          "[delta-binary-packed/zero-values]") {
  Notes notes;
  const Bytes section = hex("8001040000 8001040009");
  CHECK(check_empty_section({section, kBase, Space::page}, Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY,
                            notes));
  REQUIRE(notes.all().size() == 1);
  CHECK(notes.all()[0].error.rule == Rule::delta_binary_packed_zero_values);
  CHECK(notes.all()[0].error.offset == kBase + 9);
  CHECK(notes.all()[0].error.found == -5);
}

TEST_CASE("lengths that do not add up to the bytes are an error at the bytes, either way",
          "[delta-length-byte-array/data-length]") {
  const Bytes lengths = delta_stream({2, 2});
  for (const char* bytes : {"", "abc", "abcde"}) {
    CHECK_ERROR(delta_lengths(lengths + text(bytes), 2).error, Rule::delta_length_byte_array_data_length,
                lengths.size(), std::string_view(bytes).size(), 4);
  }
}

TEST_CASE("delta strings share prefixes with the previous value") {  // Encodings.md#DELTASTRING
  const std::vector<std::string> strings{"axis", "axle", "babble", "babyhood"};
  const Bytes section = delta_stream({0, 2, 0, 3}) + delta_stream({4, 2, 6, 5}) + text("axislebabbleyhood");
  CHECK(delta_strings(section, 4).byte_arrays == strings);
  CHECK(delta_strings(section, 4).clean());
  const PlainStrings values(strings);
  CHECK(encode(Encoding::DELTA_BYTE_ARRAY, values.values) == section);
}

TEST_CASE("delta strings of fixed length store all lengths and decode to one block") {
  const Bytes section = delta_stream({0, 2, 3}) + delta_stream({3, 1, 0}) + text("abcd");
  const ValueSpec spec = spec_of(Encoding::DELTA_BYTE_ARRAY, Type::FIXED_LEN_BYTE_ARRAY, 3, 3);
  const Decoded decoded = decode(section, spec);
  CHECK(decoded.fixed == text("abcabdabd"));
  CHECK(decoded.clean());
}

TEST_CASE("a first prefix other than 0 is an error at the first value of the prefix stream",
          "[delta-byte-array/first-prefix]") {
  CHECK_ERROR(delta_strings(delta_stream({1}) + delta_stream({1}) + text("a"), 1).error,
              Rule::delta_byte_array_first_prefix, 4, 1, 0);
}

TEST_CASE("a prefix longer than the previous value is an error at the prefix stream",
          "[delta-byte-array/prefix-range]") {
  const Decoded longer = delta_strings(delta_stream({0, 3}) + delta_stream({2, 1}) + text("abc"), 2);
  CHECK_ERROR(longer.error, Rule::delta_byte_array_prefix_range, 0, 3, 2);
  CHECK(longer.error->ordinal == 1);
  CHECK_ERROR(delta_strings(delta_stream({0, 0xFFFFFFFF}) + delta_stream({2, 1}) + text("abc"), 2).error,
              Rule::delta_byte_array_prefix_range, 0);
}

TEST_CASE("a value of another size than its type is an error at the suffix-length stream",
          "[delta-byte-array/fixed-length]") {
  const Bytes prefixes = delta_stream({0, 2});
  const ValueSpec spec = spec_of(Encoding::DELTA_BYTE_ARRAY, Type::FIXED_LEN_BYTE_ARRAY, 2, 3);
  const Decoded decoded = decode(prefixes + delta_stream({3, 2}) + text("abcde"), spec);
  CHECK_ERROR(decoded.error, Rule::delta_byte_array_fixed_length, prefixes.size(), 4, 3);
  CHECK(decoded.error->ordinal == 1);
}

TEST_CASE("a prefix that could be longer is noted", "[delta-byte-array/prefix-maximal]") {
  const Decoded decoded = delta_strings(delta_stream({0, 1}) + delta_stream({2, 2}) + text("abbc"), 2);
  CHECK(decoded.byte_arrays == std::vector<std::string>{"ab", "abc"});
  CHECK_NOTE(decoded, Rule::delta_byte_array_prefix_maximal, 0);
}

TEST_CASE("suffixes that do not add up to the bytes are an error of the suffixes",
          "[delta-length-byte-array/data-length]") {
  const Bytes streams = delta_stream({0, 1}) + delta_stream({2, 1});
  CHECK_ERROR(delta_strings(streams + text("abcd"), 2).error, Rule::delta_length_byte_array_data_length,
              streams.size());
}

TEST_CASE("long values that share long prefixes are decoded batch by batch") {
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < 300; ++i) {
    strings.push_back(std::string(5000 + i, 'x') + std::to_string(i));
    if (i % 7 == 0) strings.push_back(strings.back());
    if (i % 11 == 0) strings.emplace_back();
  }
  const PlainStrings values(strings);
  const Decoded decoded = decode(encode(Encoding::DELTA_BYTE_ARRAY, values.values),
                                 spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, strings.size()));
  CHECK(decoded.byte_arrays == strings);
  CHECK(decoded.clean());
}

TEST_CASE("a delta stream of a few bytes and very many values stops at the work limit", "[limit/work]") {
  // A first value, and one miniblock of 2^31 - 128 values that takes no bytes.
  constexpr std::uint64_t kCount = 0x7FFFFF81;
  const auto first_ten = [](const Bytes& section, Encoding encoding, Type type) {
    return decode(section, spec_of(encoding, type, kCount), 10);
  };
  const Bytes numbers = hex("80ffffff07 01 81ffffff07 00 02 00");
  CHECK_ERROR(first_ten(numbers, Encoding::DELTA_BINARY_PACKED, Type::INT32).error, Rule::limit_work, 0);
  const Bytes lengths = hex("80ffffff07 01 81ffffff07 00 00 00");
  CHECK_ERROR(first_ten(lengths, Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY).error, Rule::limit_work,
              lengths.size());
}

TEST_CASE("delta strings that claim far more than their bytes stop at the work limit", "[limit/work]") {
  // 50,000 values that each repeat 100 kB but for the last byte.
  constexpr std::uint32_t kCount = 50'000;
  constexpr std::uint32_t kSize = 100'000;
  std::vector<std::uint32_t> prefixes(kCount, kSize - 1);
  std::vector<std::uint32_t> suffixes(kCount, 1);
  prefixes[0] = 0;
  suffixes[0] = kSize;
  CHECK_ERROR(
      delta_strings(delta_stream(prefixes) + delta_stream(suffixes) + Bytes(kSize + kCount - 1, 'x'), kCount)
          .error,
      Rule::limit_work, 0);
}

}  // namespace parqproof
