#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include "codec/format/page_index.hpp"
#include "codec/thrift/list_walk.hpp"

namespace parqproof::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr Limits kLimits;

/// A ColumnIndex of two pages: min_values "a" and "bc", null_counts 1, 300 and -1.
const Bytes kColumnIndex{0x19, 0x21, 0x02, 0x02, 0x19, 0x28, 0x01, 0x61, 0x02, 0x62, 0x63, 0x19, 0x28, 0x01,
                         0x61, 0x02, 0x62, 0x63, 0x15, 0x00, 0x19, 0x36, 0x02, 0xD8, 0x04, 0x01, 0x00};

ColumnIndex column_index() {
  thrift::Reader reader({kColumnIndex, 0}, {}, kLimits);
  ColumnIndex index;
  REQUIRE(reader.read(index));
  return index;
}

TEST_CASE("a walk over a list of integers can skip elements", "[unit]") {
  thrift::IntegerWalk all(column_index().null_counts);
  REQUIRE(all.count() == 3);
  CHECK(all.at(0) == 1);
  CHECK(all.at(1) == 300);
  CHECK(all.at(2) == -1);
  CHECK_FALSE(all.at(3));
  thrift::IntegerWalk last(column_index().null_counts);
  CHECK(last.at(2) == -1);
  CHECK_FALSE(last.at(2));
  CHECK_FALSE(thrift::IntegerWalk().at(0));
}

TEST_CASE("a walk over a list of strings visits all elements", "[unit]") {
  thrift::StringWalk all(column_index().min_values);
  REQUIRE(all.count() == 2);
  CHECK(all.at(0)->size() == 1);
  CHECK(all.at(1)->size() == 2);
  CHECK_FALSE(all.at(2));
  CHECK(thrift::StringWalk(column_index().min_values).at(1)->size() == 2);
  CHECK_FALSE(thrift::StringWalk().at(0));
}

TEST_CASE("a walk over a list of structs visits all elements", "[unit]") {
  const Bytes bytes{0x19, 0x2C, 0x16, 0x02, 0x15, 0x04, 0x16, 0x06, 0x00,
                    0x16, 0x08, 0x15, 0x0A, 0x16, 0x0C, 0x00, 0x00};
  thrift::Reader reader({bytes, 0}, {}, kLimits);
  OffsetIndex index;
  REQUIRE(reader.read(index));
  thrift::StructWalk<PageLocation> all(index.page_locations, kLimits);
  REQUIRE(all.count() == 2);
  REQUIRE(all.at(0) != nullptr);
  CHECK(all.at(1)->offset == 4);
  CHECK(all.at(2) == nullptr);
  CHECK(thrift::StructWalk<PageLocation>(index.page_locations, kLimits).at(1)->first_row_index == 6);
}

}  // namespace
}  // namespace parqproof::test
