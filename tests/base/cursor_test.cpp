// Reading primitives one after another; a failed read consumes nothing.
#include "codec/base/cursor.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kBase = 5000;
constexpr Rule kCut = Rule::rle_truncated;
constexpr Rule kLong = Rule::rle_header_varint;
constexpr Rule kRange = Rule::delta_binary_packed_number_range;
constexpr CursorRules kRules{kCut, kLong, kRange};

using Bytes = std::vector<std::uint8_t>;

Cursor over(const Bytes& bytes) { return {{bytes, kBase, Space::page}, kRules}; }

template <typename T>
void check_error(const Result<T>& result, Rule rule, std::size_t at, std::int64_t found,
                 std::int64_t expected, std::uint32_t length) {
  REQUIRE_FALSE(result);
  CHECK(result.error().rule == rule);
  CHECK(result.error().offset == kBase + at);
  CHECK(result.error().space == Space::page);
  CHECK(result.error().found == found);
  CHECK(result.error().expected == expected);
  CHECK(result.error().length == length);
}

}  // namespace

TEST_CASE("a cursor reads items in order, each with its offset") {
  const Bytes bytes{1, 2, 3, 0x34, 0x12, 0xE5, 0x8E, 0x26, 7, 0xFF, 0xFE, 0xFD, 0xFC};
  Cursor cursor = over(bytes);
  const View first = cursor.take(3).value();
  CHECK(first.base == kBase);
  CHECK(first.size() == 3);
  CHECK(cursor.le<std::uint16_t>() == 0x1234);
  const Varint number = cursor.uleb<std::uint32_t>().value();
  CHECK(number.value == 624'485);
  CHECK(number.length == 3);
  CHECK(number.canonical);
  CHECK(cursor.uleb<std::uint8_t>()->value == 7);
  CHECK(cursor.position() == 9);
  CHECK(cursor.offset() == kBase + 9);
  CHECK(cursor.remaining() == 4);
  CHECK(cursor.rest().base == kBase + 9);
  CHECK(cursor.le<std::int32_t>() == static_cast<std::int32_t>(0xFCFDFEFF));
  CHECK(cursor.remaining() == 0);
  CHECK(cursor.take(0)->size() == 0);
}

TEST_CASE("a read past the end reports the available and the requested size, and consumes nothing") {
  const Bytes bytes{9, 9, 1, 2, 3};
  Cursor cursor = over(bytes);
  REQUIRE(cursor.take(2));
  check_error(cursor.take(4), kCut, 2, 3, 4, 0);
  check_error(cursor.take(UINT64_MAX), kCut, 2, 3, INT64_MAX, 0);
  check_error(cursor.le<std::uint64_t>(), kCut, 2, 3, 8, 0);
  CHECK(cursor.position() == 2);
  CHECK(cursor.take(3)->size() == 3);
  check_error(cursor.uleb<std::uint32_t>(), kCut, 5, 0, 1, 0);
}

TEST_CASE("a varint that is too long, truncated or too large is an error at its first byte") {
  const Bytes bytes{0, 0x80, 0x80, 0x80, 0x80, 0x10, 5};  // 2^32
  Cursor cursor = over(bytes);
  REQUIRE(cursor.take(1));
  check_error(cursor.uleb<std::uint32_t>(), kRange, 1, std::int64_t{1} << 32, UINT32_MAX, 5);
  check_error(cursor.uleb<std::uint8_t>(), kLong, 1, 3, 2, 2);
  CHECK(cursor.position() == 1);
  CHECK(cursor.uleb<std::uint64_t>()->value == std::uint64_t{1} << 32);
  CHECK(cursor.uleb<std::uint64_t>()->value == 5);
  const Bytes cut{0, 0xFF, 0xFF};
  Cursor short_cursor = over(cut);
  REQUIRE(short_cursor.take(1));
  check_error(short_cursor.uleb<std::uint64_t>(), kCut, 1, 2, 3, 2);
  CHECK(short_cursor.position() == 1);
}

TEST_CASE("an overlong varint is accepted where any length is allowed") {
  Bytes bytes{3, 0x85};
  bytes.insert(bytes.end(), 20, 0x80);
  bytes.insert(bytes.end(), {0x00, 0x84, 0x00, 6});
  Cursor cursor = over(bytes);
  REQUIRE(cursor.take(1));
  const Varint padded = cursor.uleb<std::uint64_t>(Cursor::kAnyLength).value();
  CHECK(padded.value == 5);
  CHECK(padded.length == 22);
  CHECK_FALSE(padded.canonical);
  const Varint two = cursor.uleb<std::uint32_t>().value();
  CHECK(two.value == 4);
  CHECK(two.length == 2);
  CHECK_FALSE(two.canonical);
  CHECK(cursor.uleb<std::uint32_t>()->value == 6);
  // Ten groups hold 64 bits: any bit above them is an error.
  Bytes high(10, 0xFF);
  high[9] = 0x02;
  check_error(over(high).uleb<std::uint64_t>(Cursor::kAnyLength), kRange, 0, INT64_MAX, INT64_MAX, 10);
  high[9] = 0x01;
  CHECK(over(high).uleb<std::uint64_t>()->value == UINT64_MAX);
  high[9] = 0x81;
  high.push_back(0x01);
  check_error(over(high).uleb<std::uint64_t>(Cursor::kAnyLength), kRange, 0, INT64_MAX, INT64_MAX, 11);
}

}  // namespace parqproof
