// A file made of ranges of other files, bytes in memory, and zeros.
#include "codec/base/composed_source.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("a composed file has the bytes of its parts, wherever a read begins and ends") {
  Bytes bytes(100);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  const MemorySource file(bytes);
  ComposedSource composed;
  composed.add(file, 10, 20).add(Bytes{200, 201}).add_zeros(3).add(file, 7, 7).add(file, 0, 4);
  Bytes expected(bytes.begin() + 10, bytes.begin() + 20);
  for (const int byte : {200, 201, 0, 0, 0, 0, 1, 2, 3}) expected.push_back(static_cast<std::uint8_t>(byte));
  REQUIRE(composed.size() == expected.size());
  for (std::size_t begin = 0; begin <= expected.size(); ++begin) {
    for (std::size_t end = begin; end <= expected.size(); ++end) {
      CAPTURE(begin, end);
      Bytes read(end - begin);
      REQUIRE(composed.read(begin, read));
      CHECK(std::equal(read.begin(), read.end(), expected.begin() + static_cast<std::ptrdiff_t>(begin)));
    }
  }
  Bytes more(expected.size() + 1);
  CHECK_FALSE(composed.read(0, more));
  CHECK_FALSE(composed.read(expected.size(), std::span(more).first(1)));
}

TEST_CASE("bytes of a composed file that are of no other file are at the end of the range before them") {
  const Bytes bytes(100);
  const MemorySource file(bytes);
  ComposedSource composed;
  CHECK(composed.in_file(0) == 0);
  composed.add_zeros(2).add(file, 10, 20).add(Bytes{1, 2}).add(file, 50, 60);
  CHECK(composed.in_file(0) == 0);
  CHECK(composed.in_file(2) == 10);
  CHECK(composed.in_file(11) == 19);
  CHECK(composed.in_file(12) == 20);
  CHECK(composed.in_file(13) == 20);
  CHECK(composed.in_file(14) == 50);
  CHECK(composed.in_file(composed.size()) == 60);
}

}  // namespace parqproof
