// Found and expected are distinct numbers and are not swapped. Rules whose numbers are asserted in the tests
// of their faults are not repeated here.
#include <catch2/catch_test_macros.hpp>

#include "codec/encoding/rle/hybrid.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

struct Case {
  Rule rule;
  Encoding encoding;
  Type type;
  std::uint64_t count;
  const char* section;
  std::size_t offset;
  std::int64_t found;
  std::int64_t expected;
  std::uint32_t length;
};

constexpr std::int64_t kMost = INT32_MAX;

const Case kCases[] = {
    {Rule::plain_fixed_width_length, Encoding::PLAIN, Type::INT32, 3, "0000000000", 0, 5, 12, 5},
    {Rule::plain_boolean_length, Encoding::PLAIN, Type::BOOLEAN, 17, "0000", 0, 2, 3, 2},
    {Rule::byte_stream_split_length, Encoding::BYTE_STREAM_SPLIT, Type::INT64, 2, "000000", 0, 3, 16, 3},
    {Rule::dictionary_bit_width, Encoding::RLE_DICTIONARY, Type::INT32, 1, "2a 02 00", 0, 42, 32, 1},
    {Rule::dictionary_bit_width_minimal, Encoding::RLE_DICTIONARY, Type::INT32, 4, "07 0800", 0, 7, 3, 1},
    {Rule::rle_header_long, Encoding::RLE_DICTIONARY, Type::INT32, 8, "03 908080808000 01", 1, 6, 1, 6},
    {Rule::rle_header_canonical, Encoding::RLE_DICTIONARY, Type::INT32, 8, "03 908000 01", 1, 3, 1, 3},
    {Rule::rle_run_length, Encoding::RLE_DICTIONARY, Type::INT32, 8, "03 0001 1001", 1, 0, kMost, 1},
    {Rule::rle_last_group, Encoding::RLE_DICTIONARY, Type::INT32, 4, "03 03 8801", 1, 2, 3, 1},
    {Rule::rle_overshoot, Encoding::RLE_DICTIONARY, Type::INT32, 8, "03 07 000000 000000 000000", 1, 24, 8,
     1},
    {Rule::rle_truncated, Encoding::RLE_DICTIONARY, Type::INT32, 8, "03 07 0000", 1, 2, 9, 1},
    {Rule::delta_binary_packed_header, Encoding::DELTA_BINARY_PACKED, Type::INT32, 5, "8001 04 8080", 3, 2, 3,
     2},
    {Rule::delta_binary_packed_block_size, Encoding::DELTA_BINARY_PACKED, Type::INT32, 5, "8201 02 05 00", 0,
     130, 128, 2},
    {Rule::delta_binary_packed_miniblock_count, Encoding::DELTA_BINARY_PACKED, Type::INT32, 5,
     "8001 05 05 00", 2, 5, 128, 1},
    {Rule::delta_binary_packed_miniblock_size, Encoding::DELTA_BINARY_PACKED, Type::INT32, 5, "8001 08 05 00",
     2, 16, 32, 1},
    {Rule::delta_binary_packed_number_range, Encoding::DELTA_BINARY_PACKED, Type::INT32, 5,
     "8001 04 8080808008 00", 3, std::int64_t{1} << 31, kMost, 5},
    {Rule::delta_binary_packed_number_range, Encoding::DELTA_BINARY_PACKED, Type::INT32, 5,
     "8001 04 05 8180808010", 4, -(std::int64_t{1} << 31) - 1, kMost, 5},
    {Rule::delta_binary_packed_number_range, Encoding::DELTA_BINARY_PACKED, Type::INT64, 5,
     "8001 04 05 ffffffffffffffffff02", 4, INT64_MAX, INT64_MAX, 10},
    {Rule::delta_binary_packed_total_count, Encoding::DELTA_BINARY_PACKED, Type::INT32, 5, "8001 04 09 00", 3,
     9, 5, 1},
    {Rule::delta_length_byte_array_length_count, Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, 5,
     "8001 04 09 00", 3, 9, 5, 1},
    {Rule::delta_byte_array_stream_counts, Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, 5, "8001 04 09 00",
     3, 9, 5, 1},
    {Rule::delta_byte_array_stream_counts, Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, 1,
     "8001 04 01 00 8001 04 02 00", 8, 2, 1, 1},
    {Rule::delta_binary_packed_number_oversized, Encoding::DELTA_BINARY_PACKED, Type::INT32, 1,
     "8080808010 01 01 54", 0, std::int64_t{1} << 32, kMost, 5},
    {Rule::delta_binary_packed_number_oversized, Encoding::DELTA_BINARY_PACKED, Type::INT32, 2,
     "8001 04 02 00 8280808020 00000000", 5, (std::int64_t{1} << 32) + 1, kMost, 5},
    {Rule::delta_binary_packed_varint_long, Encoding::DELTA_BINARY_PACKED, Type::INT32, 1,
     "8001 04 818080808000 54", 3, 6, 1, 6},
    {Rule::delta_byte_array_first_prefix, Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, 1,
     "8001 04 01 06 8001 04 01 00", 4, 3, 0, 1},
};

}  // namespace

TEST_CASE("errors and notes of decoders have found and expected") {
  for (const Case& one : kCases) {
    INFO(info(one.rule).id << " " << one.section);
    ValueSpec spec = spec_of(one.encoding, one.type, one.count);
    spec.dictionary_size = 8;
    const Decoded decoded = decode(hex(one.section), spec);
    const std::optional<Error> error =
        decoded.error && decoded.error->rule == one.rule ? decoded.error : decoded.note(one.rule);
    CHECK_ERROR(error, one.rule, one.offset, one.found, one.expected);
    CHECK(error->length == one.length);
  }
}

TEST_CASE("a miniblock wider than its type reports both widths", "[delta-binary-packed/bit-width]") {
  const Bytes section = hex("8001 01 02 00 00 21") + Bytes(33 * 128 / 8);
  const Decoded decoded = decode(section, spec_of(Encoding::DELTA_BINARY_PACKED, Type::INT32, 2));
  CHECK_FALSE(decoded.error);
  CHECK_NOTE(decoded, Rule::delta_binary_packed_bit_width, 6, 33, 32);
}

TEST_CASE("the length of FIXED_LEN_BYTE_ARRAY values is part of the expected section length",
          "[plain/fixed-width-length][byte-stream-split/length]") {
  for (const auto& [encoding, rule] : {std::pair{Encoding::PLAIN, Rule::plain_fixed_width_length},
                                       {Encoding::BYTE_STREAM_SPLIT, Rule::byte_stream_split_length}}) {
    CHECK_ERROR(decode(Bytes(20), spec_of(encoding, Type::FIXED_LEN_BYTE_ARRAY, 3, 7)).error, rule, 0, 20,
                21);
  }
}

TEST_CASE("a section of no values reports the number of surplus bytes", "[page/zero-values-section]") {
  Notes notes;
  const Bytes section = hex("00000a0000000000");
  const Status status =
      check_empty_section({section, kBase, Space::page}, Encoding::ALP, Type::DOUBLE, notes);
  REQUIRE_FALSE(status);
  const std::optional<Error> error = status.error();
  CHECK_ERROR(error, Rule::page_zero_values_section, 0, 8, 0);
  REQUIRE(
      check_empty_section({hex("05000a00000000"), kBase, Space::page}, Encoding::ALP, Type::DOUBLE, notes));
  REQUIRE(notes.all().size() == 1);
  CHECK_ERROR(notes.all()[0].error, Rule::alp_compression_mode, 0, 5, 0);
}

TEST_CASE("levels have rules of their own for their count and for a run that goes beyond it",
          "[levels/count][levels/overshoot]") {
  const auto read = [](const Bytes& bytes, std::uint64_t count) {
    Notes notes;
    HybridDecoder decoder;
    decoder.open({bytes, kBase, Space::page}, 1, count, level_rules(), notes);
    for (;;) {
      const auto batch = decoder.next();
      if (!batch) return std::optional<Error>(batch.error());
      if (batch->count == 0) break;
    }
    return notes.all().empty() ? std::nullopt : std::optional<Error>(notes.all()[0].error);
  };
  CHECK_ERROR(read(hex("0a01 0600"), 9), Rule::levels_count, 4, 8, 9);
  CHECK_ERROR(read(hex("0a01 0e00"), 9), Rule::levels_overshoot, 2, 7, 4);
}

TEST_CASE("work beyond the budget is reported with the work and the budget", "[limit/work]") {
  OwnDecoder own;
  // 2^31 values of no bytes cost 2^25 units.
  const ValueSpec spec = spec_of(Encoding::PLAIN, Type::FIXED_LEN_BYTE_ARRAY, std::uint64_t{1} << 31, 0);
  const Status status = own.open({{}, kBase, Space::page}, spec);
  REQUIRE_FALSE(status);
  CHECK_ERROR(status.error(), Rule::limit_work, 0, 1 << 25, Budget::kBase);
}

}  // namespace parqproof
