#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <span>
#include <string>
#include <vector>

#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

/// What is true of a prefix. Files with bytes behind them, or with another file, are whole if they are cut at
/// the end of the first; bytes in front of a whole file, which stands in a frame of a compressor as it was,
/// take nothing away.
Verdict verdict_of(const std::vector<std::uint8_t>& bytes) {
  struct WholeFile {
    const char* path;
    std::size_t size;
    Verdict verdict;
  };
  constexpr WholeFile kWholeFiles[] = {{"tail-magic/fail-b.parquet", 138, Verdict::conforming},
                                       {"joined/fail-a.parquet", 335, Verdict::conforming},
                                       {"joined/fail-b.parquet", 335, Verdict::conforming},
                                       {"other-format/fail-a.parquet", 153, Verdict::nonconforming},
                                       {"other-format/fail-b.parquet", 177, Verdict::nonconforming},
                                       {"other-format/fail-q.parquet", 149, Verdict::nonconforming}};
  for (const WholeFile& whole : kWholeFiles) {
    if (bytes.size() != whole.size) continue;
    const auto with_more =
        read_bytes(std::string(PARQPROOF_SOURCE_DIR "/corpus/witnesses/file/") + whole.path);
    if (std::ranges::equal(bytes, std::span(with_more).first(whole.size))) return whole.verdict;
  }
  return Verdict::malformed;
}

TEST_CASE("every prefix of a file has a verdict, and none is fit for use") {
  sweep_prefixes(kUsualCases, [](const std::vector<std::uint8_t>& bytes, std::uint64_t) {
    const FileReport report = check(MemorySource(bytes), "file", {});
    const std::string fault = fuzz::contradiction(report, bytes.size());
    return fault.empty() && report.verdict != verdict_of(bytes) ? to_string(report.verdict) : fault;
  });
}

}  // namespace
}  // namespace support
