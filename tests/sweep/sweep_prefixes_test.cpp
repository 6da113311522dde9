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

/// Files with bytes behind them, or with another file: cut at the end of the first, they are whole.
bool is_whole(const std::vector<std::uint8_t>& bytes) {
  struct WholeFile {
    const char* path;
    std::size_t size;
  };
  constexpr WholeFile kWholeFiles[] = {
      {"tail-magic/fail-b.parquet", 138}, {"joined/fail-a.parquet", 335}, {"joined/fail-b.parquet", 335}};
  return std::ranges::any_of(kWholeFiles, [&](const WholeFile& whole) {
    if (bytes.size() != whole.size) return false;
    const auto with_more =
        read_bytes(std::string(PARQPROOF_SOURCE_DIR "/corpus/witnesses/file/") + whole.path);
    return std::ranges::equal(bytes, std::span(with_more).first(whole.size));
  });
}

TEST_CASE("every prefix of a file has a verdict, and none is fit for use") {
  sweep_prefixes(1, [](const std::vector<std::uint8_t>& bytes, std::uint64_t) {
    const FileReport report = check(MemorySource(bytes), "file", {});
    const std::string fault = fuzz::contradiction(report, bytes.size());
    const Verdict verdict = is_whole(bytes) ? Verdict::conforming : Verdict::malformed;
    return fault.empty() && report.verdict != verdict ? to_string(report.verdict) : fault;
  });
}

}  // namespace
}  // namespace support
