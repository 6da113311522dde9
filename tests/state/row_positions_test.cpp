#include "conformance/state/row_positions.hpp"

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "tests/page/written_pages.hpp"

namespace support {
namespace {

using namespace parqproof;

using Rows = std::pair<std::int64_t, std::int64_t>;

Rows range(const std::optional<RowRange>& rows) {
  return rows ? Rows(rows->first, rows->last) : Rows(-1, -1);
}

Node repeated() { return {.max_repetition = 1}; }

const PageInBytes& page(PageType type) {
  static const PageInBytes v1({.type = PageType::DATA_PAGE, .num_values = 4});
  static const PageInBytes v2({.type = PageType::DATA_PAGE_V2, .num_values = 4});
  return type == PageType::DATA_PAGE ? v1 : v2;
}

/// Reads a page with so many rows; `continues`: it begins inside a row.
void read(RowPositions& trail, PageType type, std::int64_t rows, bool continues) {
  trail.enter(page(type).page);
  trail.levels(rows, continues);
  trail.leave(page(type).page, true, false);
}

TEST_CASE("a page whose levels cannot be read does not continue a row because the page before it did") {
  RowPositions trail(repeated());
  read(trail, PageType::DATA_PAGE, 3, false);
  read(trail, PageType::DATA_PAGE, 2, true);
  trail.enter(page(PageType::DATA_PAGE_V2).page);
  CHECK(range(trail.of_page()) == Rows(5, 8));
  CHECK(range(trail.first_row()) == Rows(5, 5));
}

TEST_CASE("once a page of version 2 has begun inside a row, no later page is known to begin a row") {
  RowPositions trail(repeated());
  read(trail, PageType::DATA_PAGE_V2, 3, false);
  trail.enter(page(PageType::DATA_PAGE_V2).page);
  CHECK(range(trail.first_row()) == Rows(3, 3));
  trail.levels(2, true);
  trail.leave(page(PageType::DATA_PAGE_V2).page, true, false);
  read(trail, PageType::DATA_PAGE_V2, 2, false);
  trail.enter(page(PageType::DATA_PAGE_V2).page);
  CHECK(range(trail.first_row()) == Rows(6, 7));
  trail.levels(1, true);
  CHECK(range(trail.first_row()) == Rows(6, 7));
  CHECK(range(trail.of_page()) == Rows(6, 7));
}

TEST_CASE("a page of version 1 whose levels cannot be read may continue the only row before it") {
  RowPositions trail(repeated());
  read(trail, PageType::DATA_PAGE, 1, false);
  trail.enter(page(PageType::DATA_PAGE).page);
  CHECK(range(trail.first_row()) == Rows(0, 1));
  CHECK(range(trail.of_page()) == Rows(-1, -1));
}

}  // namespace
}  // namespace support
