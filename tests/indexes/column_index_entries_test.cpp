// Reading a ColumnIndex entry by entry, and the order of its bounds.
#include "conformance/indexes/column_index_entries.hpp"

#include <catch2/catch_test_macros.hpp>
#include <utility>
#include <vector>

#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using support::Bytes;

BoundSequence sequence(const std::vector<std::pair<std::int32_t, std::int32_t>>& pages) {
  BoundSequence out(Order::signed_int);
  for (std::size_t i = 0; i < pages.size(); ++i)
    out.add(i, support::of(pages[i].first), support::of(pages[i].second));
  return out;
}

thrift::List list(const Bytes& elements, std::uint32_t count) {
  thrift::List out;
  out.bytes = View{elements, 0, Space::file};
  out.count = count;
  return out;
}

}  // namespace

TEST_CASE("bounds are ascending if both lists are, and descending likewise",
          "[column-index/boundary-order]") {
  CHECK(sequence({{1, 2}, {1, 3}, {2, 3}}).is_ascending());
  CHECK_FALSE(sequence({{1, 2}, {1, 3}, {2, 3}}).is_descending());
  CHECK(sequence({{2, 3}, {1, 3}, {1, 2}}).is_descending());
  CHECK_FALSE(sequence({{1, 9}, {2, 8}}).is_ascending());
  CHECK_FALSE(sequence({{1, 9}, {2, 8}}).is_descending());
  const BoundSequence same = sequence({{1, 2}, {1, 2}});
  CHECK(same.is_ascending());
  CHECK(same.is_descending());
}

TEST_CASE("of two bounds out of order the one that is too far outside is reported",
          "[column-index/boundary-order]") {
  const BoundSequence low = sequence({{1, 2}, {3, 4}, {2, 6}});
  CHECK(low.break_of(BoundaryOrder::ASCENDING).list == IndexList::min_values);
  CHECK(low.break_of(BoundaryOrder::ASCENDING).ordinal == 2);
  const BoundSequence high = sequence({{1, 9}, {3, 4}, {5, 6}});
  CHECK(high.break_of(BoundaryOrder::ASCENDING).list == IndexList::max_values);
  CHECK(high.break_of(BoundaryOrder::ASCENDING).ordinal == 0);
  CHECK(high.break_of(BoundaryOrder::ASCENDING).times == 1);
  const BoundSequence falling = sequence({{3, 6}, {4, 5}, {1, 9}});
  CHECK(falling.break_of(BoundaryOrder::DESCENDING).list == IndexList::min_values);
  CHECK(falling.break_of(BoundaryOrder::DESCENDING).ordinal == 0);
  CHECK(falling.break_of(BoundaryOrder::DESCENDING).times == 2);
}

TEST_CASE("a bound without an order leaves the order of the others open", "[column-index/boundary-order]") {
  BoundSequence nan(Order::floating);
  const Bytes quiet{0, 0, 0xC0, 0x7F};
  const Bytes one{0, 0, 0x80, 0x3F};
  nan.add(0, one, one);
  nan.add(1, quiet, one);
  CHECK_FALSE(nan.is_comparable());
  CHECK_FALSE(nan.is_ascending());
  CHECK_FALSE(nan.is_intact());
}

TEST_CASE("a list whose length differs from the others is left out", "[column-index/list-length]") {
  const Bytes flags{1, 2, 1};
  const Bytes strings{1, 7, 0, 1, 9};
  ColumnIndex index;
  for (const auto id : {ColumnIndex::id_null_pages, ColumnIndex::id_min_values, ColumnIndex::id_max_values})
    index.fields.present |= 1U << static_cast<unsigned>(id);
  index.null_pages = list(flags, 3);
  index.min_values = list(strings, 3);
  index.max_values = list(strings, 2);
  const Limits limits;
  IndexEntries entries(index, nullptr, 0, limits);
  REQUIRE(entries.count() == 3);
  const IndexEntry second = entries.at(1);
  CHECK(second.is_null_page == false);
  REQUIRE(second.min);
  CHECK(second.min->empty());
  CHECK_FALSE(second.max);
  const IndexEntry third = entries.at(2);
  CHECK(third.is_null_page == true);
  REQUIRE(third.min);
  CHECK(third.min->bytes[0] == 9);
  CHECK_FALSE(third.rows);
}

}  // namespace parqproof
