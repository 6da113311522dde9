// Pages above a limit are not judged, and those behind them are judged as what they are.
#include <catch2/catch_test_macros.hpp>

#include "tests/support/judged.hpp"

namespace support {
namespace {

using namespace parqproof;

TEST_CASE("behind a page above the limit, the next page is not taken for the first") {
  // Two leaves of a map; the second data page of the first goes on with a row, and begins with its levels.
  const std::vector<std::uint8_t> bytes =
      read_bytes(PARQPROOF_SOURCE_DIR "/corpus/witnesses/logical-type/map-duplicate-keys/fail-n.parquet");
  REQUIRE(judged(bytes).verdict == Verdict::conforming);
  CheckOptions options;
  options.limits.page_bytes = 16;
  const FileReport report = judged(bytes, options);
  CHECK(report.verdict == Verdict::limit);
  REQUIRE(report.causes.size() == 1);
  CHECK(report.causes.front().rule() == Rule::limit_page_size);
  CHECK(report.causes.front().times == 2);
}

}  // namespace
}  // namespace support
