// Pages above a limit are skipped, and the pages after them are checked in their right role.
#include <catch2/catch_test_macros.hpp>

#include "tests/support/judged.hpp"

namespace support {
namespace {

using namespace parqproof;

TEST_CASE("the page after one above the limit is not taken for the first page of the chunk") {
  // Two leaves of a map; the second data page of the first continues a row, so its levels begin with it.
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
