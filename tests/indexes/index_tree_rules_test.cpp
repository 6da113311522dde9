#include "conformance/indexes/index_page_2013/index_tree_rules.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "codec/rules/rule.hpp"
#include "tests/support/judged.hpp"

namespace parqproof {
namespace {

std::vector<std::uint8_t> witness(const std::string& name) {
  return support::read_bytes("corpus/witnesses/" + name + ".parquet");
}

CheckOptions under(Profile profile) { return {.profile = profile}; }

std::vector<std::string> rules_of(const FileReport& report) {
  std::vector<std::string> rules;
  for (const ReportedFinding& one : report.findings) rules.emplace_back(info(one.finding.rule).id);
  std::ranges::sort(rules);
  return rules;
}

TEST_CASE("rules of old editions are checked only under the historical profile", "[unit]") {
  const auto bytes = witness("index-page/ordinal/fail-a");
  CHECK(rules_of(support::judged(bytes, under(Profile::historical))) ==
        std::vector<std::string>{"index-page/ordinal"});
  for (const Profile profile : {Profile::strict, Profile::interop}) {
    const FileReport report = support::judged(bytes, under(profile));
    CHECK(rules_of(report) == std::vector<std::string>{"index-page/unused"});
    CHECK(report.verdict == Verdict::conforming);
    CHECK(report.not_run.empty());
  }
}

TEST_CASE("a rule of old editions can be switched on under any profile", "[unit]") {
  CheckOptions options = under(Profile::strict);
  options.changes = {{"index-page/ordinal", "warning"}};
  const FileReport report = support::judged(witness("index-page/ordinal/fail-a"), options);
  CHECK(rules_of(report) == std::vector<std::string>{"index-page/ordinal", "index-page/unused"});
  CHECK(report.verdict == Verdict::conforming);
}

TEST_CASE("without index_page_offset an index page is not checked, and the report states it", "[unit]") {
  // An index page before the data page, without any reference to it.
  const auto bytes = witness("column-chunk/dictionary-page-offset/fail-a");
  const FileReport report = support::judged(bytes, under(Profile::historical));
  const auto about = std::ranges::find(report.not_run, "page body", &NotRun::what);
  REQUIRE(about != report.not_run.end());
  CHECK(about->why == "index_page_offset is absent or not positive");
}

TEST_CASE("any byte of an indexed file may be wrong under the historical profile", "[unit]") {
  CheckOptions options = under(Profile::historical);
  options.advice = true;
  for (const char* name :
       {"index-page/keys-true/pass-a", "index-page/ordinal/pass-c", "legal/index-pages/pass-m"}) {
    const auto intact = witness(name);
    for (std::size_t at = 0; at < intact.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xFF}) {
        auto bytes = intact;
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ change);
        const MemorySource source(bytes);
        const FileReport report = check(source, "file", options);
        CHECK(report.size == intact.size());
      }
    }
  }
}

TEST_CASE("the bodies of index pages of a chunk are kept up to a part of the memory limit",
          "[limit/memory]") {
  CheckOptions options = under(Profile::historical);
  options.limits.memory_bytes = 16 * 47;  // the index page has 48 bytes
  const FileReport report = support::judged(witness("index-page/keys-true/pass-a"), options);
  CHECK(rules_of(report) == std::vector<std::string>{"limit/memory"});
  CHECK(report.verdict == Verdict::limit);
}

TEST_CASE("the dictionary of an indexed chunk is kept up to a part of the memory limit", "[limit/memory]") {
  const auto bytes = witness("index-page/keys-true/fail-h");
  CHECK(rules_of(support::judged(bytes, under(Profile::historical))) ==
        std::vector<std::string>{"index-page/keys-true"});
  CheckOptions options = under(Profile::historical);
  options.limits.memory_bytes = 16 * 50;  // six entries take more
  const FileReport report = support::judged(bytes, options);
  CHECK(rules_of(report) == std::vector<std::string>{"limit/memory"});
  CHECK(report.verdict == Verdict::limit);
}

}  // namespace
}  // namespace parqproof
