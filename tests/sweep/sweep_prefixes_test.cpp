#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <span>
#include <vector>

#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

/// A whole file with bytes behind it: cut there, it is a file.
bool is_whole(const std::vector<std::uint8_t>& bytes) {
  static const std::vector<std::uint8_t> with_more =
      read_bytes(PARQPROOF_SOURCE_DIR "/corpus/witnesses/file/tail-magic/fail-b.parquet");
  return bytes.size() == 138 && std::ranges::equal(bytes, std::span(with_more).first(138));
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
