// Pages that are found by their headers, because their offsets are unknown.
#include "codec/page/page_search.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/page/written_pages.hpp"
#include "tests/support/sources.hpp"

namespace support {
namespace {

using namespace parqproof;

/// Consecutive pages, and the offset of each.
struct Pages {
  Bytes bytes;
  std::vector<std::uint64_t> starts;
  void add(const PageShape& shape) {
    starts.push_back(bytes.size());
    bytes = std::move(bytes) + page_of(shape);
  }
};

Pages pages_of(std::size_t count) {
  Pages pages;
  for (std::size_t i = 0; i < count; ++i) pages.add({.body = Bytes(100 + 7 * i, 0x15)});
  return pages;
}

std::optional<std::uint64_t> find(const Bytes& bytes, std::uint64_t from) {
  const MemorySource source(bytes);
  const Limits limits;
  PageReader reader(source, limits, 0);
  return find_pages_up_to(bytes.size(), from, reader);
}

TEST_CASE("the search for a possible header stops at the first such byte, and at the end of its bytes") {
  Bytes bytes(200'000, 0);
  for (const std::size_t at : {7U, 65'535U, 65'536U, 150'000U}) bytes[at] = kNextI32;
  const MemorySource source(bytes);
  Window window(source);
  std::vector<std::uint64_t> found;
  for (std::uint64_t at = find_next_i32(window, 0, bytes.size()); at < bytes.size();
       at = find_next_i32(window, at + 1, bytes.size()))
    found.push_back(at);
  CHECK(found == std::vector<std::uint64_t>{7, 65'535, 65'536, 150'000});
  CHECK(find_next_i32(window, 8, 65'535) == 65'535);
  CHECK(find_next_i32(window, 9, 9) == 9);
}

TEST_CASE("after each page but the last the next one is found") {
  const Pages pages = pages_of(5);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::uint64_t from = pages.starts[i] + 1; from < pages.starts[i] + 40; ++from) {
      CHECK(find(pages.bytes, from) ==
            (i < 4 ? std::optional(pages.starts[i + 1]) : std::optional<std::uint64_t>()));
    }
    CHECK(find(pages.bytes, pages.starts[i]) == pages.starts[i]);
  }
}

TEST_CASE("pages that do not lead to the end are not accepted") {
  const Pages pages = pages_of(7);
  for (const std::size_t lost : {std::size_t{2}, std::size_t{3}, std::size_t{5}}) {
    Bytes bytes = pages.bytes;
    bytes[static_cast<std::size_t>(pages.starts[lost])] = 0x0F;
    CHECK(find(bytes, pages.starts[0]) == pages.starts[lost + 1]);
  }
  Bytes longer = pages.bytes;
  longer.push_back(0);
  CHECK(!find(longer, 0));
  longer = pages.bytes;
  longer.pop_back();
  CHECK(!find(longer, 0));
}

TEST_CASE("a file inside of a page is not taken for pages of the chunk") {
  const Pages inner = pages_of(3);
  Pages outer;
  outer.add({.body = inner.bytes + Bytes(20)});
  outer.add({});
  CHECK(find(outer.bytes, 1) == outer.starts[1]);
  Pages alone;
  alone.add({.body = inner.bytes + Bytes(20)});
  CHECK(!find(alone.bytes, 1));
}

TEST_CASE("a dictionary page precedes all other pages") {
  Pages pages = pages_of(2);
  pages.add({.type = PageType::DICTIONARY_PAGE, .encoding = Encoding::PLAIN});
  const std::uint64_t dictionary = pages.starts.back();
  CHECK(!find(pages.bytes, 1));
  pages.add({});
  CHECK(find(pages.bytes, 1) == dictionary);
  CHECK(find(pages.bytes, dictionary + 1) == pages.starts.back());
}

TEST_CASE("a header that breaks rules is not accepted as a page") {
  for (const PageShape& invalid :
       {PageShape{.num_values = -1}, PageShape{.uncompressed = -2}, PageShape{.without = {5}}}) {
    Pages pages = pages_of(2);
    pages.add(invalid);
    CHECK(!find(pages.bytes, 1));
    const std::uint64_t after_page = pages.bytes.size();
    pages.add({});
    CHECK(find(pages.bytes, 1) == after_page);
  }
}

TEST_CASE("a page header is found at any offset relative to the strides of the search") {
  constexpr std::uint64_t kStride = std::uint64_t{1} << 16;
  const Bytes page = page_of({});
  for (std::uint64_t front = kStride - 40; front < kStride + 3; ++front) {
    const Bytes bytes = Bytes(static_cast<std::size_t>(front), 0x15) + page;
    CHECK(find(bytes, 0) == front);
  }
}

TEST_CASE("bytes that only resemble headers cost little") {
  // Each resembles a header up to the struct, whose fields never end.
  Bytes bytes;
  while (bytes.size() < (std::size_t{1} << 20))
    bytes = std::move(bytes) + Bytes{0x15, 0, 0x15, 8, 0x15, 8, 0x2C, 0x15, 0x15, 0x15};
  const MemorySource memory(bytes);
  const CountingSource source(memory);
  const Limits limits;
  PageReader reader(source, limits, 0);
  CHECK(!find_pages_up_to(bytes.size(), 0, reader));
  CHECK(source.bytes_read() <= 16 * bytes.size());
}

}  // namespace
}  // namespace support
