#include "conformance/diagnosis/transfer/byte_runs.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include "codec/base/source.hpp"
#include "tests/support/bytes.hpp"

namespace parqproof {
namespace {

using support::Bytes, support::zero;
using Found = std::vector<std::tuple<std::uint64_t, std::uint64_t, bool>>;

constexpr std::uint64_t kReadAtOnce = std::uint64_t{1} << 18;

/// Bytes without a run.
Bytes noise(std::size_t size) {
  Bytes bytes(size);
  std::mt19937 random(1);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(1 + random() % 255);
  return bytes;
}

/// Writes the `block` bytes before `begin` repeatedly.
void repeat(Bytes& bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t block) {
  for (std::uint64_t at = begin; at < end; ++at) bytes[at] = bytes[at - block];
}

Found found(const Bytes& bytes, const std::vector<ByteRange>& parts) {
  Found out;
  for (const ByteRun& run : find_byte_runs(MemorySource(bytes), parts))
    out.emplace_back(run.bytes.begin, run.bytes.end, run.zeros);
  return out;
}

Found found(const Bytes& bytes) { return found(bytes, {{0, bytes.size()}}); }

}  // namespace

TEST_CASE("a run of 512 zeros is found wherever it begins, and one of 511 is not reported",
          "[file/overwritten]") {
  for (const std::uint64_t around : {std::uint64_t{2048}, kReadAtOnce, 2 * kReadAtOnce}) {
    Bytes bytes = noise(around + 4096);
    for (std::uint64_t begin = around - 1100; begin < around + 600; begin += 7) {
      for (const std::uint64_t size : {511U, 512U, 513U, 767U, 1500U}) {
        Bytes changed = bytes;
        zero(changed, begin, begin + size);
        CAPTURE(begin, size);
        CHECK(found(changed) == (size < 512 ? Found{} : Found{{begin, begin + size, true}}));
      }
      if (around != 2048) begin += 90;
    }
  }
}

TEST_CASE("zeros at both ends of a part, and all of it, are a run", "[file/overwritten]") {
  for (const std::size_t size : {std::size_t{4096}, std::size_t{4099}, std::size_t{kReadAtOnce + 700}}) {
    CAPTURE(size);
    Bytes bytes = noise(size);
    zero(bytes, 0, 600);
    zero(bytes, size - 600, size);
    CHECK(found(bytes) == Found{{0, 600, true}, {size - 600, size, true}});
    zero(bytes, 0, size);
    CHECK(found(bytes) == Found{{0, size, true}});
  }
}

TEST_CASE("the search ends after too many runs, and later runs are not reported", "[file/overwritten]") {
  constexpr std::uint64_t kApart = 600;
  constexpr std::uint64_t kMany = 12'000;
  Bytes bytes = noise(kMany * kApart + 4 * kReadAtOnce);
  for (std::uint64_t i = 0; i < kMany; ++i) zero(bytes, i * kApart, i * kApart + 512);
  const Found runs = found(bytes);
  CHECK(runs.size() >= 10'000);
  for (const auto& [begin, end, zeros] : runs) {
    if (begin % kApart != 0 || end != begin + 512 || !zeros) FAIL_CHECK(begin << " to " << end);
  }
}

TEST_CASE("only the parts are searched, and a run ends with its part", "[file/overwritten]") {
  Bytes bytes = noise(20'000);
  zero(bytes, 900, 6000);
  zero(bytes, 9000, 9600);
  CHECK(found(bytes, {{1024, 4096}, {8192, 20'000}}) == Found{{1024, 4096, true}, {9000, 9600, true}});
  CHECK(found(bytes, {{6144, 8192}}).empty());
}

TEST_CASE("sectors that repeat the block before them are found for each block size", "[file/overwritten]") {
  for (const std::uint64_t block : {std::uint64_t{512}, std::uint64_t{4096}, kLargestBlock}) {
    for (const std::uint64_t begin :
         {block, 3 * block, kReadAtOnce, kReadAtOnce + 512, 2 * kReadAtOnce - 512}) {
      if (begin % 512 != 0 || begin < block) continue;
      CAPTURE(block, begin);
      const Bytes bytes = noise(begin + 3 * block + 700);
      Bytes once = bytes;
      repeat(once, begin, begin + block, block);
      CHECK(found(once) == Found{{begin, begin + block, false}});
      Bytes part = bytes;  // disks do not lose or repeat half a block
      repeat(part, begin, begin + block / 2, block);
      CHECK(found(part).empty());
      Bytes twice = bytes;  // the length of the repetition, in full sectors
      repeat(twice, begin, begin + 2 * block, block);
      CHECK(found(twice) == Found{{begin, begin + 2 * block, false}});
    }
  }
}

TEST_CASE("sectors that repeat a block up to the end of a part are found", "[file/overwritten]") {
  for (const std::uint64_t rest : {0U, 100U}) {  // less than a sector
    CAPTURE(rest);
    Bytes bytes = noise(3 * 4096 + rest);
    repeat(bytes, 8192, 12'288, 4096);
    CHECK(found(bytes) == Found{{8192, 12'288, false}});
  }
}

TEST_CASE("a repetition of bytes outside the part, or of values only, is not reported",
          "[file/overwritten]") {
  Bytes bytes = noise(16'384);
  repeat(bytes, 8192, 12'288, 4096);
  CHECK(found(bytes, {{8192, 16'384}}).empty());
  Bytes values = noise(16'384);
  repeat(values, 256, 16'384, 8);
  CHECK(found(values).empty());
}

}  // namespace parqproof
