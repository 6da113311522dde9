#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "conformance/report/footer_dump.hpp"
#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

/// Calls `look` for the changed files of the sample; it is told which change of which file it sees.
template <typename Look>
void sweep(std::uint64_t usual, const Look& look) {
  const Sample sample(usual);
  std::uint64_t cases = 0;
  for (const SmallFile& file : small_files()) {
    std::vector<std::uint8_t> bytes = file.bytes;
    for (std::uint64_t number = 0; number < bytes.size() * kChangesOfAByte; ++number) {
      if (!sample.takes(file.path, number)) continue;
      with_change(bytes, number, [&] {
        ++cases;
        const std::string fault = look(bytes, fixed_hash(file.path, ~number));
        if (!fault.empty()) {
          FAIL_CHECK(file.path << " with change " << number % kChangesOfAByte << " of byte "
                               << number / kChangesOfAByte << ": " << fault);
        }
      });
    }
  }
  CHECK(cases > 0);
}

TEST_CASE("a file with one changed byte has a verdict that its findings bear out") {
  sweep(1, [](const std::vector<std::uint8_t>& bytes, std::uint64_t hash) {
    // Reading the report back takes much longer than the check.
    const FileReport report = hash % 1024 == 0 ? judged(bytes) : check(MemorySource(bytes), "file", {});
    return fuzz::contradiction(report, bytes.size());
  });
}

TEST_CASE("a file with one changed byte is judged alike twice, and by any number of threads") {
  sweep(100, [](const std::vector<std::uint8_t>& bytes, std::uint64_t) -> std::string {
    CheckOptions options;
    const std::string once = json_of(check(MemorySource(bytes), "file", options));
    for (options.jobs = 1; options.jobs <= 3; ++options.jobs) {
      if (json_of(check(MemorySource(bytes), "file", options)) != once)
        return "another report with " + std::to_string(options.jobs) + " threads";
    }
    return {};
  });
}

TEST_CASE("the byte map of a file with one changed byte covers it exactly once") {
  sweep(20, [](const std::vector<std::uint8_t>& bytes, std::uint64_t) -> std::string {
    return fuzz::map_fault(bytes);
  });
}

TEST_CASE("the footer of a file with one changed byte is dumped as JSON") {
  sweep(100, [](const std::vector<std::uint8_t>& bytes, std::uint64_t) -> std::string {
    std::string text;
    Out out(text);
    const DumpEnd end = dump_footer_json(MemorySource(bytes), "file", out);
    out.flush();
    if (end == DumpEnd::unreadable) return "bytes in memory are not unreadable";
    return nlohmann::json::accept(text) ? "" : "no JSON: " + text;
  });
}

}  // namespace
}  // namespace support
