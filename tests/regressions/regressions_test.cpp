#include <catch2/catch_test_macros.hpp>

#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"

namespace support {
namespace {

TEST_CASE("inputs that fuzzing found satisfy all invariants now") {
  const std::vector<std::string> paths = files_below("corpus/regressions", ".parquet");
  CHECK(!paths.empty());
  for (const std::string& path : paths) {
    CAPTURE(path);
    CHECK(parqproof::fuzz::whole_file_fault(read_bytes(path)) == "");
  }
}

TEST_CASE("a report that contradicts itself is noticed") {
  using namespace parqproof;
  const std::vector<std::uint8_t> bytes = read_bytes("corpus/witnesses/page/v2-num-nulls/fail-a.parquet");
  const FileReport sound = check(MemorySource(bytes), "file", {});
  REQUIRE(fuzz::contradiction(sound, bytes.size()) == "");
  FileReport report = sound;
  report.verdict = Verdict::conforming;
  CHECK(fuzz::contradiction(report, bytes.size()) ==
        "the verdict is conforming, the findings give nonconforming");
  report = sound;
  report.findings[0].finding.offset = bytes.size();
  CHECK(fuzz::contradiction(report, bytes.size()) == "page/v2-num-nulls is outside the file");
  report = sound;
  report.findings.push_back(report.findings[0]);
  report.findings[1].finding.offset = 0;
  CHECK(fuzz::contradiction(report, bytes.size()) == "page/v2-num-nulls is out of order");
}

}  // namespace
}  // namespace support
