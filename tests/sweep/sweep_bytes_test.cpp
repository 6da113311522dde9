#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "conformance/report/metadata/metadata.hpp"
#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

TEST_CASE("a file with one changed byte has a verdict that agrees with its findings") {
  sweep_bytes(kUsualCases, [](const std::vector<std::uint8_t>& bytes, std::uint64_t hash) {
    // Reading the report back takes much longer than the check.
    const FileReport report = hash % 1024 == 0 ? judged(bytes) : check(MemorySource(bytes), "file", {});
    return fuzz::contradiction(report, bytes.size());
  });
}

TEST_CASE("a file with one changed byte gets the same report twice, and with any number of threads") {
  sweep_bytes(kUsualCases / 3, [](const std::vector<std::uint8_t>& bytes, std::uint64_t hash) -> std::string {
    CheckOptions options;
    const std::string once = json_of(check(MemorySource(bytes), "file", options));
    for (unsigned jobs = 1; jobs <= 3; ++jobs) {
      if (few_cases() && jobs != 1 + hash % 3) continue;
      options.jobs = jobs;
      if (json_of(check(MemorySource(bytes), "file", options)) != once)
        return "another report with " + std::to_string(jobs) + " threads";
    }
    return {};
  });
}

TEST_CASE("the footer of a file with one changed byte is dumped as JSON") {
  sweep_bytes(kUsualCases / 3, [](const std::vector<std::uint8_t>& bytes, std::uint64_t) -> std::string {
    std::string text;
    Out out(text);
    const DumpEnd end = dump_footer_json(MemorySource(bytes), "file", out).end;
    out.flush();
    if (end == DumpEnd::unreadable) return "bytes in memory are not unreadable";
    return nlohmann::json::accept(text) ? "" : "no JSON: " + text;
  });
}

}  // namespace
}  // namespace support
