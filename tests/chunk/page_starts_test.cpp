// The OffsetIndexes that the walk over a damaged chunk follows, and the bounds on hostile ones.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/base/source.hpp"
#include "tests/diagnosis/damage.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/sources.hpp"

namespace support {
namespace {

using namespace parqproof;

/// A page location with wrong fields.
struct Location {
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

constexpr std::uint64_t kStart = 4;

/// One INT32 column of three PLAIN pages, where page `damaged` has an unreadable header,
/// and an offset index of these locations.
struct Chunk {
  Bytes bytes;
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> sizes;
};

Chunk chunk_of(std::size_t pages, std::size_t damaged, const std::vector<Location>* locations,
               std::int64_t index_length = -1) {
  Chunk chunk;
  chunk.bytes = text("PAR1");
  for (std::size_t i = 0; i < pages; ++i) {
    Bytes page = data_page(2, Encoding::PLAIN, {1, 0, 0, 0, 2, 0, 0, 0});
    if (i == damaged) page[0] = 0x0F;
    chunk.starts.push_back(static_cast<std::int64_t>(chunk.bytes.size()));
    chunk.sizes.push_back(static_cast<std::int64_t>(page.size()));
    append(chunk.bytes, page);
  }
  const auto size = static_cast<std::int64_t>(chunk.bytes.size() - kStart);
  std::vector<Location> truth;
  for (std::size_t i = 0; i < pages; ++i) truth.push_back({chunk.starts[i], chunk.sizes[i]});
  const std::vector<Location>& locations_written = locations != nullptr ? *locations : truth;
  const auto index_at = static_cast<std::int64_t>(chunk.bytes.size());
  Struct index;
  index.list(1, thrift::Wire::struct_, locations_written.size());
  std::int64_t row = 0;
  for (const Location& location : locations_written) {
    index.element().i64(1, location.offset).i32(2, location.size).i64(3, row).end();
    row += 2;
  }
  const Bytes index_bytes = index.bytes();
  append(chunk.bytes, index_bytes);
  const auto rows = static_cast<std::int64_t>(2 * pages);
  Struct footer;
  add_schema(footer);
  footer.i64(3, rows).list(4, thrift::Wire::struct_, 1);
  begin_row_group(footer, rows, size, size);
  footer.i64(4, index_at)
      .i32(5, index_length >= 0 ? index_length : static_cast<std::int64_t>(index_bytes.size()))
      .end();
  footer.i64(2, size).i64(3, rows).end();
  chunk.bytes = file_of(footer.bytes(), part(chunk.bytes, kStart));
  return chunk;
}

TEST_CASE("with a correct offset index, only the page with the unreadable header is lost") {
  for (std::size_t damaged = 0; damaged < 5; ++damaged) {
    const FileReport report = judged(chunk_of(5, damaged, nullptr).bytes);
    CHECK(lost_of(report) == std::vector{"page 0/0/" + std::to_string(damaged)});
    CHECK(report.pages == 4);
    CHECK(report.values == 8);
  }
  CHECK(judged(chunk_of(5, 99, nullptr).bytes).lost.empty());
}

TEST_CASE("an offset index that does not fit the pages is ignored") {
  const Chunk intact = chunk_of(5, 2, nullptr);
  const std::int64_t size = intact.sizes[0];
  const auto with = [&](const std::vector<Location>& locations, std::int64_t length = -1) {
    return lost_of(judged(chunk_of(5, 2, &locations, length).bytes));
  };
  // The next page is found by its header, not by the index.
  const std::vector<std::string> searched{"pages 0/0/2"};
  std::vector<Location> locations;
  for (const std::int64_t start : intact.starts) locations.push_back({start, size});
  const std::vector<Location> truth = locations;
  CHECK(with(truth) == std::vector<std::string>{"page 0/0/2"});

  CHECK(with({}) == searched);
  std::ranges::reverse(locations);
  CHECK(with(locations) == searched);
  for (const std::int64_t by :
       {std::int64_t{1}, std::int64_t{-1}, size / 2, std::int64_t{1000}, std::int64_t{-1000}}) {
    locations = truth;
    for (Location& location : locations) location.offset += by;  // no page is there
    CHECK(with(locations) == searched);
  }
  for (const Location& lie : {Location{-1, size}, Location{INT64_MAX, size}, Location{INT64_MIN, size},
                              Location{truth[3].offset, 6}, Location{truth[3].offset, -5},
                              Location{truth[3].offset, INT32_MAX}, Location{truth[2].offset, size}}) {
    locations = truth;
    locations[3] = lie;
    CHECK(with(locations) == searched);
  }
  // Where the stated length cuts the struct, the struct is still found if it fits these pages.
  const std::vector<std::string> found{"offset index 0/0", "page 0/0/2"};
  const std::vector<std::string> cut{"offset index 0/0", "pages 0/0/2"};
  locations = truth;
  locations[3].offset = -1;
  for (const std::int64_t length : {0, 5}) {
    CHECK(with(truth, length) == found);
    CHECK(with(locations, length) == cut);
  }
}

TEST_CASE("many unreadable headers and wrong sizes keep the walk within its bound") {
  constexpr std::size_t kPages = 4000;
  Chunk chunk = chunk_of(kPages, 99999, nullptr);
  const auto check_all = [&](const Bytes& bytes) {
    const MemorySource memory(bytes);
    const CountingSource source(memory);
    const FileReport report = check(source, "file", {});
    CHECK(report.verdict == Verdict::malformed);
    CHECK(source.bytes_read() <= 64 * bytes.size());
    CHECK(json_of(check(source, "file", {.jobs = 2})) == json_of(report));
    return report;
  };
  Bytes bytes = chunk.bytes;
  for (std::size_t i = 1; i < kPages; i += 2) bytes[static_cast<std::size_t>(chunk.starts[i])] = 0x0F;
  const FileReport report = check_all(bytes);
  CHECK(report.lost.size() == kPages / 2);
  CHECK(report.values == kPages);

  // Every page size reaches into the middle of another page.
  Bytes lies = chunk.bytes;
  const auto first = static_cast<std::size_t>(chunk.starts[0]);
  REQUIRE(lies[first + 4] == 0x15);
  for (std::size_t i = 0; i < kPages; ++i) lies[static_cast<std::size_t>(chunk.starts[i]) + 5] = 0x7C;
  const FileReport all = check_all(lies);
  CHECK(!all.lost.empty());
  CHECK(all.lost.size() <= kPages + 1);
}

}  // namespace
}  // namespace support
