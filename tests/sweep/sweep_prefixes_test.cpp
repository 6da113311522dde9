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

/// The verdict of a prefix. A file with trailing bytes, or with another file appended, is intact if truncated
/// at the end of the first file; bytes before an intact file, which a compressor stored in a frame, lose
/// nothing.
Verdict verdict_of(const std::vector<std::uint8_t>& bytes) {
  struct IntactPrefix {
    const char* path;
    std::size_t size;
    Verdict verdict;
  };
  constexpr IntactPrefix kIntactPrefixes[] = {{"tail-magic/fail-b.parquet", 138, Verdict::conforming},
                                              {"joined/fail-a.parquet", 335, Verdict::conforming},
                                              {"joined/fail-b.parquet", 335, Verdict::conforming},
                                              {"other-format/fail-a.parquet", 153, Verdict::nonconforming},
                                              {"other-format/fail-b.parquet", 177, Verdict::nonconforming},
                                              {"other-format/fail-q.parquet", 149, Verdict::nonconforming}};
  for (const IntactPrefix& intact : kIntactPrefixes) {
    if (bytes.size() != intact.size) continue;
    const auto with_more = read_bytes(std::string("corpus/witnesses/file/") + intact.path);
    if (std::ranges::equal(bytes, std::span(with_more).first(intact.size))) return intact.verdict;
  }
  return Verdict::malformed;
}

TEST_CASE("every proper prefix of a file is malformed, except the known intact ones") {
  sweep_prefixes(kUsualCases, [](const std::vector<std::uint8_t>& bytes, std::uint64_t) {
    const FileReport report = check(MemorySource(bytes), "file", {});
    const std::string fault = fuzz::contradiction(report, bytes.size());
    return fault.empty() && report.verdict != verdict_of(bytes) ? to_string(report.verdict) : fault;
  });
}

}  // namespace
}  // namespace support
