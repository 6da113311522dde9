#include <catch2/catch_test_macros.hpp>

#include "tests/support/json_schema.hpp"
#include "tests/support/process.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

constexpr std::uint64_t kCases = 200;

TEST_CASE("the program exits with 0, 1 or 2 and a valid report, whatever byte is changed") {
  std::uint64_t exits[3] = {};
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const SmallFile& file = small_files()[fixed_hash("file", i) % small_files().size()];
    if (file.bytes.empty()) continue;
    const std::uint64_t number = fixed_hash("change", i) % (file.bytes.size() * kChangesOfAByte);
    std::vector<std::uint8_t> bytes = file.bytes;
    with_change(bytes, number, [&] {
      const Outcome outcome = parqproof({"check", "--format", "json", "-"}, {bytes.begin(), bytes.end()});
      CAPTURE(file.path, number, outcome.err);
      REQUIRE(outcome.code >= 0);
      REQUIRE(outcome.code <= 2);
      ++exits[outcome.code];
      CHECK(validate_report(outcome.out).empty());
    });
  }
  for (const std::uint64_t times : exits) CHECK(times > 0);
}

}  // namespace
}  // namespace support
