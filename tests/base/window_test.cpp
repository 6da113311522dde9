// A window over a file that is larger than its buffer: moves forward and backward, and read failures.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "codec/base/source.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kSize = 100'000;

std::uint8_t byte_at(std::uint64_t offset) {
  return static_cast<std::uint8_t>(offset * 31 + (offset >> 8) * 7);
}

// A file by a formula; it records what was read, and reads fail from some offset on.
class FormulaSource final : public Source {
 public:
  [[nodiscard]] std::uint64_t size() const noexcept override { return kSize; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    reads.emplace_back(offset, into.size());
    if (offset + into.size() > readable) return false;
    for (std::uint8_t& byte : into) byte = byte_at(offset++);
    return true;
  }

  mutable std::vector<std::pair<std::uint64_t, std::uint64_t>> reads;
  std::uint64_t readable = kSize;
};

void check_view(const View& view, std::uint64_t offset, std::uint64_t count) {
  INFO("at " << offset << ", " << count);
  CHECK(view.base == offset);
  CHECK(view.space == Space::file);
  REQUIRE(view.size() == count);
  const bool same =
      std::ranges::all_of(view.bytes, [&](std::uint8_t byte) { return byte == byte_at(offset++); });
  CHECK(same);
}

using Reads = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("a window shows the bytes of the file at every step, forward and backward") {
  const FormulaSource source;
  for (const std::uint64_t step : {1U, 700U, 1000U, 1500U, 7000U}) {
    for (const std::uint64_t ahead : {0U, 300U, 5000U}) {
      Window window(source);
      for (std::uint64_t at = 0; at + 1000 <= kSize; at += step * 11) {
        check_view(window.view(at, 1000, ahead), at, 1000);
        // A little back and forth around it, shorter and longer.
        const std::uint64_t back = at < 900 ? 0 : at - 900;
        check_view(window.view(back, 950, ahead), back, 950);
        check_view(window.view(at, 10), at, 10);
        const std::uint64_t longer = std::min(kSize - at, std::uint64_t{2500} + step);
        check_view(window.view(at, longer, ahead), at, longer);
        CHECK_FALSE(window.failed());
      }
    }
  }
}

TEST_CASE("a window reads only the bytes that are not in its buffer") {
  const FormulaSource source;
  Window window(source);
  check_view(window.view(1000, 500, 1500), 1000, 500);
  CHECK(source.reads == Reads{{1000, 2000}});
  check_view(window.view(1400, 1600), 1400, 1600);  // to the last byte that is held
  check_view(window.view(3000, 0), 3000, 0);
  CHECK(source.reads.size() == 1);
  check_view(window.view(2000, 1001), 2000, 1001);  // all but the last byte is held
  CHECK(source.reads.back() == std::pair<std::uint64_t, std::uint64_t>{3000, 1});
  check_view(window.view(2500, 1000), 2500, 1000);  // half of it is held
  CHECK(source.reads.back() == std::pair<std::uint64_t, std::uint64_t>{3001, 499});
  check_view(window.view(2499, 1000), 2499, 1000);  // a byte before it is not
  CHECK(source.reads.back() == std::pair<std::uint64_t, std::uint64_t>{2499, 1000});
  check_view(window.view(50'000, 2000), 50'000, 2000);  // nothing of it is
  CHECK(source.reads.back() == std::pair<std::uint64_t, std::uint64_t>{50'000, 2000});
  CHECK(source.reads.size() == 5);
}

TEST_CASE("a window reads ahead up to the end of the file") {
  const FormulaSource source;
  Window window(source);
  check_view(window.view(kSize - 100, 60, 5000), kSize - 100, 60);
  CHECK(source.reads == Reads{{kSize - 100, 100}});
  check_view(window.view(kSize - 10, 10), kSize - 10, 10);
  check_view(window.view(kSize, 0), kSize, 0);
  CHECK(source.reads.size() == 1);
}

TEST_CASE("a window is usable after a read past the end of the file failed") {
  FormulaSource source;
  Window window(source);
  check_view(window.view(90'000, 100), 90'000, 100);
  for (const auto& [offset, count] : {std::pair<std::uint64_t, std::uint64_t>{kSize - 5, 6},
                                      {kSize + 1, 0},
                                      {UINT64_MAX, 1},
                                      {5, UINT64_MAX}}) {
    const View view = window.view(offset, count);
    CHECK(view.empty());
    CHECK(view.base == offset);
    CHECK(window.failed());
    check_view(window.view(90'010, 50), 90'010, 50);
    CHECK_FALSE(window.failed());
  }
}

TEST_CASE("a watched source records only failed reads inside the source") {
  FormulaSource formula;
  const WatchedSource source(formula);
  std::vector<std::uint8_t> bytes(100);
  CHECK(source.size() == kSize);
  CHECK(source.read(kSize - 100, bytes));
  CHECK(bytes.front() == byte_at(kSize - 100));
  formula.readable = 5000;
  CHECK_FALSE(source.read(kSize - 99, bytes));
  CHECK_FALSE(source.read(kSize, bytes));
  CHECK_FALSE(source.failed());  // those bytes are not there
  CHECK_FALSE(source.read(4901, bytes));
  CHECK(source.failed());
  CHECK(source.read(4900, bytes));
  CHECK(source.failed());
}

TEST_CASE("a window is empty after a failed read") {
  FormulaSource source;
  Window window(source);
  check_view(window.view(10'000, 1000), 10'000, 1000);
  source.readable = 11'500;
  CHECK(window.view(10'500, 1500).empty());
  CHECK(window.failed());
  check_view(window.view(10'400, 1000), 10'400, 1000);
  CHECK_FALSE(window.failed());
  CHECK(window.view(10'900, 601).empty());
  source.readable = kSize;
  check_view(window.view(10'900, 601), 10'900, 601);
  check_view(window.view(10'000, 4000), 10'000, 4000);
}

}  // namespace parqproof
