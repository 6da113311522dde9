#include <catch2/catch_test_macros.hpp>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

Decoded groups(const char* section, Type type, std::uint64_t count, bool little_endian = false) {
  const ValueSpec spec{.encoding = Encoding::GROUP_VAR_INT,
                       .type = type,
                       .count = count,
                       .selector_little_endian = little_endian};
  return decode(hex(section), spec);
}

using I32 = std::vector<std::int32_t>;
using I64 = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("groups hold the examples of the edition of 2013") {
  CHECK(groups("2d ff ffffff ffffffff ffff", Type::INT32, 4).numbers<std::uint32_t>() ==
        std::vector<std::uint32_t>{0xFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFF});
  CHECK(groups("0001020304 0005000000", Type::INT32, 5).numbers<std::int32_t>() == I32{1, 2, 3, 4, 5});
  CHECK(groups("0001020304 0005000000", Type::INT32, 5).clean());
  CHECK(groups("0001020300", Type::INT32, 3).numbers<std::int32_t>() == I32{1, 2, 3});
  CHECK(groups("d2 ffffffff 0001 00 000001", Type::INT32, 4).numbers<std::int32_t>() ==
        I32{-1, 256, 0, 65536});
}

TEST_CASE("the selector of 64-bit groups is read big-endian, or little-endian on request") {
  const I64 numbers{1, 511, 2, 3, -1};
  CHECK(groups("0207 01 ff01 02 03 ffffffffffffffff", Type::INT64, 5).numbers<std::int64_t>() == numbers);
  CHECK(groups("0702 01 ff01 02 03 ffffffffffffffff", Type::INT64, 5, true).numbers<std::int64_t>() ==
        numbers);
  CHECK(encode(Encoding::GROUP_VAR_INT, plain_numbers(Type::INT64, numbers)) ==
        hex("0207 01 ff01 02 03 ffffffffffffffff"));
  CHECK(encode(Encoding::GROUP_VAR_INT, plain_numbers(Type::INT64, numbers),
               {.selector_little_endian = true}) == hex("0702 01 ff01 02 03 ffffffffffffffff"));
  CHECK(encode(Encoding::GROUP_VAR_INT, plain_numbers(Type::INT32, I32{1, 2, 3, 4, 5})) ==
        hex("0001020304 0005000000"));
}

TEST_CASE("a truncated or missing group is an error at its selector", "[group-var-int/group]") {
  CHECK_ERROR(groups("0001020304 00050000", Type::INT32, 5).error, Rule::group_var_int_group, 5, 4, 5);
  CHECK_ERROR(groups("0001020304", Type::INT32, 5).error, Rule::group_var_int_group, 5);
  CHECK_ERROR(groups("00", Type::INT64, 1).error, Rule::group_var_int_group, 0);
}

TEST_CASE("bytes after the last group are an error at the first of them", "[page/trailing-bytes]") {
  CHECK_ERROR(groups("0001020304 00", Type::INT32, 4).error, Rule::page_trailing_bytes, 5);
}

TEST_CASE("surplus values, long forms and the unused bit of groups are noted at their offsets",
          "[group-var-int/padding][group-var-int/shortest][group-var-int/selector-bit]") {
  CHECK_NOTE(groups("0001020307", Type::INT32, 3), Rule::group_var_int_padding, 4);
  const Decoded longer = groups("10 01 0200 03 04", Type::INT32, 4);
  CHECK(longer.numbers<std::int32_t>() == I32{1, 2, 3, 4});
  CHECK_NOTE(longer, Rule::group_var_int_shortest, 2);
  const Decoded bit = groups("8000 0102030405", Type::INT64, 5);
  CHECK(bit.numbers<std::int64_t>() == I64{1, 2, 3, 4, 5});
  CHECK_NOTE(bit, Rule::group_var_int_selector_bit, 0);
  CHECK_NOTE(groups("0080 0102030405", Type::INT64, 5, true), Rule::group_var_int_selector_bit, 1);
}

}  // namespace parqproof
