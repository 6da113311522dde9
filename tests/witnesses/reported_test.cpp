#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "tests/witnesses/witness.hpp"

namespace support {
namespace {

using namespace parqproof;

/// The report of the fail file of a rule whose description has these words.
FileReport report_about(const std::string& rule, std::string_view words) {
  static const std::vector<Witness> all = read_witnesses("corpus/witnesses/");
  const auto at = std::ranges::find_if(all, [&](const Witness& one) {
    return one.folder == rule && one.fails && one.sidecar.at("about").get<std::string>().starts_with(words);
  });
  REQUIRE(at != all.end());
  return judged(*at, at->options());
}

std::vector<const Cause*> causes_of(const FileReport& report, Rule rule) {
  std::vector<const Cause*> out;
  for (const Cause& cause : report.causes) {
    if (cause.rule() == rule) out.push_back(&cause);
  }
  return out;
}

TEST_CASE("columns that disagree with different columns are different causes", "[levels/siblings-agree]") {
  const FileReport report = report_about("levels/siblings-agree", "in each of two groups");
  const std::vector<const Cause*> causes = causes_of(report, Rule::levels_siblings_agree);
  REQUIRE(causes.size() == 2);
  CHECK(message_of(*causes[0]).contains("g.x"));
  CHECK(causes[0]->columns.front().column == "g.y");
  CHECK(message_of(*causes[1]).contains("h.x"));
  CHECK(causes[1]->columns.front().column == "h.y");
}

TEST_CASE("the message of a cause says if other places have other values", "[row-group/column-order]") {
  const FileReport same = report_about("compression/lz4-frame", "in the first and the third");
  CHECK_FALSE(causes_of(same, Rule::compression_lz4_frame).front()->differs);
  const FileReport other = report_about("row-group/column-order", "two chunks have changed places");
  const std::vector<const Cause*> causes = causes_of(other, Rule::row_group_column_order);
  REQUIRE(causes.size() == 1);
  CHECK(causes.front()->differs);
  CHECK(message_of(*causes.front()).ends_with(" (at the first place)"));
}

TEST_CASE("foreign values are named if their page has no checksum", "[statistics/max-value]") {
  const auto detail = [](std::string_view words) {
    const FileReport report = report_about("statistics/max-value", words);
    return report.findings.front().finding.detail;
  };
  CHECK(detail("three values inside a page without checksum") ==
        "; the first above it is 1000 in page 0, row 8 of the row group; page 0 has no checksum, and its "
        "values 8 to 10 of 19 look foreign (rows 8 to 10)");
  CHECK(detail("three values inside a page with a checksum") ==
        "; the first above it is 1000 in page 0, row 8 of the row group");
  // The largest of sorted values, at the end of the page, are not foreign.
  CHECK_FALSE(detail("max_value of INT32 is the smallest value").contains("foreign"));
}

TEST_CASE("a footer that authenticates under another AAD names it", "[encryption/tag]") {
  const auto detail = [](std::string_view words) {
    const FileReport report = report_about("encryption/tag", words);
    const auto at = std::ranges::find(report.findings, Rule::encryption_tag,
                                      [](const ReportedFinding& one) { return one.finding.rule; });
    REQUIRE(at != report.findings.end());
    return at->finding.detail;
  };
  const std::string prefix = "; it authenticates with the AAD prefix alone";
  const std::string empty = "; it authenticates with an empty AAD";
  CHECK(detail("the AAD of the footer is the stored AAD prefix alone") == prefix);
  CHECK(detail("the AAD of the footer is the supplied AAD prefix alone") == prefix);
  CHECK(detail("the AAD of the footer is a longer AAD prefix") == prefix);
  CHECK(detail("the AAD of the footer lacks the type") ==
        "; it authenticates with an AAD without the type of the module");
  CHECK(detail("the AAD of the footer has a stored prefix, but not the type") ==
        "; it authenticates with an AAD without the type of the module");
  CHECK(detail("the AAD of the footer is the type of the module alone") ==
        "; it authenticates with the type of the module alone");
  CHECK(detail("the AAD of the footer is empty") == empty);
  CHECK(detail("the file has no identifier, and the AAD of the footer is empty") == empty);
  CHECK(detail("the file has no identifier, and the AAD of the footer is the stored") == prefix);
}

TEST_CASE("every rule that an encrypted footer hides is in not_run", "[file/encrypted-footer]") {
  const FileReport report = report_about("file/encrypted-footer", "the footer is encrypted");
  std::set<std::string> left_out;
  for (const NotRun& one : report.not_run) left_out.insert(one.what);
  for (const RuleInfo& rule : all_rules()) {
    if (rule.severity == Severity::info) continue;  // not requested
    const std::string area(rule.id.substr(0, rule.id.find('/')));
    if (area == "file" || area == "limit" || area == "index-page")
      continue;  // index pages: not in this profile
    INFO(rule.id);
    CHECK(left_out.contains(area + "/*"));
  }
  CHECK(left_out.contains("file/regions-disjoint"));
  CHECK_FALSE(left_out.contains("file/tail-magic"));
}

TEST_CASE("a signed footer with an encrypted column lists what only a key can check",
          "[file/encrypted-column]") {
  const FileReport report = report_about("file/encrypted-column", "the first column is encrypted");
  std::set<std::string> left_out;
  for (const NotRun& one : report.not_run) left_out.insert(one.what);
  for (const char* what : {"the signature of the footer", "footer/exact-length", "row-group/total-byte-size",
                           "file/unreferenced-bytes", "column chunk"}) {
    INFO(what);
    CHECK(left_out.contains(what));
  }
}

}  // namespace
}  // namespace support
