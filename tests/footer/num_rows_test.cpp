#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/locate.hpp"
#include "tests/support/judged.hpp"

namespace parqproof {
namespace {

/// Checks a file whose only row group states 4 rows while its column has 3, and whose FileMetaData states
/// `rows`; returns its broken rules.
std::vector<std::string> rules_with(std::uint8_t rows) {
  std::vector<std::uint8_t> bytes = support::read_bytes("corpus/witnesses/row-group/num-rows/fail-a.parquet");
  Findings findings{RuleSet()};
  const Frame frame = read_frame(MemorySource(bytes), bytes.size(), Limits(), findings);
  REQUIRE(frame.state == Frame::State::footer);
  const thrift::Extent at = thrift::locate(frame.footer, FileMetaData::kType, "num_rows");
  REQUIRE(at.end == at.value + 1);  // a varint of one byte
  REQUIRE(bytes[at.value] == 2 * 4);
  bytes[at.value] = static_cast<std::uint8_t>(2 * rows);
  std::vector<std::string> rules;
  for (const ReportedFinding& one : support::judged(bytes).findings)
    rules.emplace_back(info(one.finding.rule).id);
  std::ranges::sort(rules);
  return rules;
}

TEST_CASE("num_rows of a file is compared with its row groups, or with their columns", "[unit]") {
  using Rules = std::vector<std::string>;
  CHECK(rules_with(4) == Rules{"row-group/num-rows"});
  CHECK(rules_with(3) == Rules{"row-group/num-rows"});
  CHECK(rules_with(5) == Rules{"footer/num-rows", "row-group/num-rows"});
}

}  // namespace
}  // namespace parqproof
