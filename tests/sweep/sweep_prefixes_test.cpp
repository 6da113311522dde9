#include <catch2/catch_test_macros.hpp>
#include <span>

#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

TEST_CASE("every prefix of a file has a verdict, and none is fit for use") {
  const Sample sample(1);
  std::uint64_t cases = 0;
  for (const SmallFile& file : small_files()) {
    for (std::size_t size = 0; size < file.bytes.size(); ++size) {
      if (!sample.takes(file.path, size)) continue;
      ++cases;
      const std::span<const std::uint8_t> prefix(file.bytes.data(), size);
      const FileReport report = check(MemorySource(prefix), file.path, {});
      const std::string fault = contradiction(report, size);
      if (!fault.empty()) FAIL_CHECK(file.path << " cut to " << size << " bytes: " << fault);
      if (report.verdict != Verdict::malformed) {
        FAIL_CHECK(file.path << " cut to " << size << " bytes is " << to_string(report.verdict));
      }
    }
  }
  CHECK(cases > 0);
}

}  // namespace
}  // namespace support
