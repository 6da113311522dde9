#include <catch2/catch_test_macros.hpp>
#include <span>

#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

/// A whole file with bytes behind it: cut there, it is a file.
bool is_whole(const std::string& path, std::size_t size) {
  return path == "corpus/witnesses/file/tail-magic/fail-b.parquet" && size == 138;
}

TEST_CASE("every prefix of a file has a verdict, and none is fit for use") {
  const Sample sample(1);
  std::uint64_t cases = 0;
  for (const SmallFile& file : small_files()) {
    for (std::size_t size = 0; size < file.bytes.size(); ++size) {
      if (!sample.takes(file.path, size)) continue;
      ++cases;
      const std::span<const std::uint8_t> prefix(file.bytes.data(), size);
      const FileReport report = check(MemorySource(prefix), file.path, {});
      const std::string fault = fuzz::contradiction(report, size);
      if (!fault.empty()) FAIL_CHECK(file.path << " cut to " << size << " bytes: " << fault);
      const Verdict verdict = is_whole(file.path, size) ? Verdict::conforming : Verdict::malformed;
      if (report.verdict != verdict) {
        FAIL_CHECK(file.path << " cut to " << size << " bytes is " << to_string(report.verdict));
      }
    }
  }
  CHECK(cases > 0);
}

}  // namespace
}  // namespace support
