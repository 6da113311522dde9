#include "tests/witnesses/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/words/wording.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

/// Reports each difference once, with the file and what it is about.
void require_alike(const Witness& witness, const std::vector<FileReport>& reports) {
  const std::string differs = difference(witness, reports);
  if (differs.empty()) {
    SUCCEED();
  } else {
    FAIL_CHECK(witness.path << ": " << witness.sidecar.at("about").get<std::string>() << differs);
  }
}

TEST_CASE("every witness ends in exactly the findings and the verdict of its sidecar") {
  for (const Witness& witness : witnesses())
    require_alike(witness, judged_with_files(witness, witness.options()));
}

TEST_CASE("the reference kernels give the same report") {
  for (const Witness& witness : witnesses()) {
    const std::string fast = json_of(reports_of(witness, witness.options()).front());
    use_kernels(reference_kernels());
    const std::string reference = json_of(reports_of(witness, witness.options()).front());
    use_kernels(*all_kernels().back());
    if (fast != reference) FAIL_CHECK(witness.path << "\n" << fast << "\n" << reference);
  }
}

TEST_CASE("data is lost exactly if the verdict is malformed, with a finding of class malformed") {
  std::size_t malformed = 0;
  std::size_t with_rows = 0;
  for (const Witness& witness : witnesses()) {
    for (const Tier tier : {Tier::footer, Tier::pages, Tier::values}) {
      CheckOptions options = witness.options();
      options.tier = tier;
      for (const FileReport& report :
           few_cases() ? reports_of(witness, options) : judged_with_files(witness, options)) {
        const bool has_reason = std::ranges::any_of(
            report.findings, [](const ReportedFinding& one) { return one.klass == Class::malformed; });
        const bool is_malformed = report.verdict == Verdict::malformed;
        if (report.lost.empty() == is_malformed || has_reason != is_malformed)
          FAIL_CHECK(witness.path << " at tier " << to_string(tier) << "\n" << json_of(report));
        malformed += is_malformed ? 1 : 0;
        with_rows += is_malformed && report.lost.front().rows ? 1 : 0;
      }
    }
  }
  CHECK(malformed > 1000);
  CHECK(with_rows > 500);
}

TEST_CASE("findings are in file order") {
  for (const Witness& witness : witnesses()) {
    const FileReport report = judged(witness, witness.options());
    const bool ordered = std::ranges::is_sorted(
        report.findings, {}, [](const ReportedFinding& one) { return one.finding.file_position(); });
    if (!ordered) FAIL_CHECK(witness.path);
  }
}

TEST_CASE("without the rule, a fail file has no finding of it") {
  for (const Witness& witness : witnesses()) {
    if (!witness.fails) continue;
    CheckOptions options = witness.options();
    options.changes.push_back({witness.rule(), "off"});
    const FileReport report = judged(witness, options);
    if (difference(witness, report).empty()) FAIL_CHECK(witness.path);
    for (const ReportedFinding& one : report.findings) {
      if (info(one.finding.rule).id == witness.rule())
        FAIL_CHECK(witness.path << " reports a rule that is off");
    }
  }
}

TEST_CASE("a fail file breaks its own rule, a pass file does not, and each matches its folder") {
  for (const Witness& witness : witnesses()) {
    const std::string rule = witness.rule();
    if (witness.folder.starts_with("legal/")) {
      if (witness.fails) FAIL_CHECK(witness.path << ": a legal file breaks no rule");
    } else if (witness.folder != rule) {
      FAIL_CHECK(witness.path << ": its rule is " << rule);
    }
    bool own = false;
    for (const nlohmann::json& finding : witness.sidecar.at("findings")) {
      const bool is_own = finding.at("rule") == rule;
      own |= is_own;
      const std::optional<Rule> named = find_rule(finding.at("rule").get<std::string>());
      if (!named) FAIL_CHECK(witness.path << " names a rule that does not exist: " << finding.at("rule"));
      if (!is_own && finding.value("because", "").empty())
        FAIL_CHECK(witness.path << ": no because with " << finding.at("rule"));
    }
    if (own != witness.fails)
      FAIL_CHECK(witness.path << (own ? " breaks" : " does not break") << " its rule");
    if (witness.folder.starts_with("legal/") && witness.sidecar.at("verdict") != "conforming")
      FAIL_CHECK(witness.path);
    const bool advised = find_rule(rule) && info(*find_rule(rule)).severity == Severity::info;
    if (advised != witness.sidecar.at("advice").get<bool>() && !witness.folder.starts_with("legal/")) {
      FAIL_CHECK(witness.path << ": advice is for rules of severity info");
    }
  }
}

TEST_CASE(
    "every rule has a file that breaks it and a similar one that does not, and every folder has its rule") {
  std::set<std::string> broken;
  std::set<std::string> kept;
  for (const Witness& witness : witnesses()) (witness.fails ? broken : kept).insert(witness.folder);
  for (const RuleInfo& row : all_rules()) {
    const std::string id(row.id);
    if (!broken.contains(id)) FAIL_CHECK(id << " has no fail-*.parquet");
    if (!kept.contains(id)) FAIL_CHECK(id << " has no pass-*.parquet");
  }
  for (const std::set<std::string>& folders : {broken, kept}) {
    for (const std::string& folder : folders) {
      if (!folder.starts_with("legal/") && !find_rule(folder)) FAIL_CHECK("no rule is called " << folder);
    }
  }
}

TEST_CASE("a rule is found at its tier, and at no lower one") {
  std::set<std::string> found_at_its_tier;
  for (const Witness& witness : witnesses()) {
    if (!witness.fails) continue;
    const Rule rule = *find_rule(witness.rule());
    for (const Tier tier : {Tier::footer, Tier::pages, Tier::values}) {
      CheckOptions options = witness.options();
      if (options.tier < tier) continue;
      options.tier = tier;
      const FileReport report = judged(witness, options);
      const bool found = std::ranges::any_of(
          report.findings, [&](const ReportedFinding& one) { return one.finding.rule == rule; });
      if (found && tier < info(rule).tier)
        FAIL_CHECK(witness.path << " is found at tier " << to_string(tier));
      if (found && tier == info(rule).tier) found_at_its_tier.insert(witness.rule());
    }
  }
  for (const Witness& witness : witnesses()) {
    if (witness.fails && !found_at_its_tier.contains(witness.rule()))
      FAIL_CHECK(witness.rule() << " is not found at its tier");
  }
}

TEST_CASE("a finding carries exactly the parts that the row of its rule lists") {
  std::set<Rule> found;
  std::set<Rule> expected;
  std::set<Rule> detailed;
  for (const Witness& witness : witnesses()) {
    for (const FileReport& report : judged_with_files(witness, witness.options())) {
      for (const auto& [finding, severity, column, known, klass, bugs, excerpt] : report.findings) {
        const RuleInfo& rule = info(finding.rule);
        if (!finding.found.empty()) found.insert(finding.rule);
        if (!finding.expected.empty()) expected.insert(finding.rule);
        if (!finding.detail.empty()) detailed.insert(finding.rule);
        if (rule.carries_ordinal() && finding.detail.empty())
          FAIL_CHECK(witness.path << ": no ordinal with " << rule.id);
      }
    }
  }
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const auto rule = static_cast<Rule>(i);
    INFO(info(rule).id);
    CHECK(found.contains(rule) == info(rule).carries_found());
    CHECK(expected.contains(rule) == info(rule).carries_expected());
    CHECK(detailed.contains(rule) == info(rule).carries_detail());
  }
}

TEST_CASE(
    "no witness expects what it finds, and each rule that compares has one with different found and "
    "expected") {
  // The work of the program is no number in the file.
  std::set<std::string> distinguished = {"limit/work"};
  const auto look = [&](const Witness& witness, const nlohmann::json& promise) {
    for (const nlohmann::json& finding : promise.at("findings")) {
      if (!finding.contains("found") || !finding.contains("expected")) continue;
      if (finding.at("found") == finding.at("expected")) {
        FAIL_CHECK(witness.path << ": found and expected are " << finding.at("found"));
      } else if (witness.fails && finding.at("rule") == witness.rule()) {
        distinguished.insert(witness.rule());
      }
    }
  };
  for (const Witness& witness : witnesses()) {
    look(witness, witness.sidecar);
    const nlohmann::json files = witness.sidecar.value("files", nlohmann::json::object());
    for (const nlohmann::json& promise : files) look(witness, promise);
  }
  for (const RuleInfo& row : all_rules()) {
    if (row.carries_expected() && !distinguished.contains(std::string(row.id)))
      FAIL_CHECK(row.id << ": no witness distinguishes found from expected");
  }
}

const Witness& find(const char* path) {
  const auto at = std::ranges::find(witnesses(), std::string("corpus/witnesses/") + path, &Witness::path);
  REQUIRE(at != witnesses().end());
  return *at;
}

TEST_CASE("options switch a rule off, lower it and select it alone") {
  const Witness& witness = find("footer/num-rows/fail-a.parquet");
  CheckOptions options = witness.options();
  CHECK(judged(witness, options).verdict == Verdict::nonconforming);

  SECTION("off") {
    options.changes = {{"footer/num-rows", "off"}};
    const FileReport report = judged(witness, options);
    CHECK(report.verdict == Verdict::conforming);
    CHECK(report.findings.empty());
  }
  SECTION("off with all of its area") {
    options.changes = {{"footer/*", "off"}};
    CHECK(judged(witness, options).verdict == Verdict::conforming);
  }
  SECTION("a later change wins") {
    options.changes = {{"footer/*", "off"}, {"footer/num-rows", "error"}};
    CHECK(judged(witness, options).verdict == Verdict::nonconforming);
  }
  SECTION("a warning") {
    options.changes = {{"footer/num-rows", "warning"}};
    const FileReport report = judged(witness, options);
    CHECK(report.verdict == Verdict::conforming);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].severity == Severity::warning);
    CHECK(exit_code(report) == 0);
    options.fail_on_warning = true;
    CHECK(exit_code(judged(witness, options)) == 1);
  }
  SECTION("an info, which is listed as advice") {
    options.changes = {{"footer/num-rows", "info"}};
    CHECK(judged(witness, options).findings.empty());
    options.advice = true;
    const FileReport report = judged(witness, options);
    CHECK(std::ranges::count(report.findings, Severity::info, &ReportedFinding::severity) >= 1);
    CHECK(report.verdict == Verdict::conforming);
  }
  SECTION("singled out") {
    options.only = {"footer/num-rows"};
    CHECK(judged(witness, options).verdict == Verdict::nonconforming);
    options.only = {"crc/*", "footer/*"};
    CHECK(judged(witness, options).verdict == Verdict::nonconforming);
    options.only = {"crc/*"};
    CHECK(judged(witness, options).verdict == Verdict::conforming);
  }
}

/// The report's finding of the rule, without the detail, which may count findings of other rules.
std::vector<std::string> said_of(const std::string& rule, const FileReport& report) {
  std::vector<std::string> out;
  for (const ReportedFinding& one : report.findings) {
    const Finding& finding = one.finding;
    if (info(finding.rule).id != rule) continue;
    out.push_back(fmt::format("{}.{}.{} {}+{} ({}) {} times {}: {}; expected {}", finding.place.row_group,
                              finding.place.leaf, finding.place.page, finding.file_position(), finding.length,
                              finding.offset, finding.times, finding.field, plain_text(finding.found),
                              plain_text(finding.expected)));
  }
  return out;
}

TEST_CASE("a rule selected alone gives the same findings as among all others") {
  const Witness* before = nullptr;
  for (const Witness& witness : witnesses()) {
    const bool first = before == nullptr || before->folder != witness.folder;
    before = &witness;
    if (!witness.fails || (few_cases() && !first)) continue;
    CheckOptions options = witness.options();
    const std::vector<std::string> among_all = said_of(witness.rule(), judged(witness, options));
    options.only = {witness.rule()};
    const FileReport alone = judged(witness, options);
    if (said_of(witness.rule(), alone) != among_all)
      FAIL_CHECK(witness.path << " alone:\n" << json_of(alone));
    const bool others = std::ranges::any_of(alone.findings, [&](const ReportedFinding& one) {
      const RuleInfo& rule = info(one.finding.rule);
      return rule.id != witness.rule() && is_judgement(rule.klass);
    });
    if (others) FAIL_CHECK(witness.path << " reports other rules");
  }
}

TEST_CASE("suppressed findings are still evidence") {
  const Witness& witness = find("schema/levels/fail-b.parquet");
  CheckOptions options = witness.options();
  options.changes = {{"page/trailing-bytes", "info"}};
  CHECK(said_of("schema/levels", judged(witness, options)).size() == 1);
}

TEST_CASE("suppressed rules do not prevent a repair of the schema") {
  const Witness& witness = find("schema/levels/fail-m.parquet");
  CheckOptions options = witness.options();
  CHECK(judged(witness, options).findings.size() == 2);
  options.changes = {{"footer/num-rows", "off"}};
  const FileReport report = judged(witness, options);
  CHECK(report.findings.size() == 1);
  CHECK(said_of("schema/levels", report).size() == 1);
}

TEST_CASE("a page with a wrong checksum is not lost but unreliable, unless checksums are ignored") {
  const Witness& witness = find("crc/match/fail-a.parquet");
  CheckOptions options = witness.options();
  const FileReport wrong = judged(witness, options);
  CHECK(wrong.verdict == Verdict::nonconforming);
  CHECK(std::ranges::any_of(wrong.not_run,
                            [](const NotRun& one) { return one.what == "page" && one.place.page == 0; }));
  options.changes = {{"crc/match", "off"}};
  const FileReport report = judged(witness, options);
  CHECK(std::ranges::none_of(report.not_run, [](const NotRun& one) { return one.what == "page"; }));
  CHECK(report.verdict == Verdict::conforming);
}

TEST_CASE("the number of listed findings changes neither verdict nor counts") {
  for (const Witness& witness : witnesses()) {
    CheckOptions options = witness.options();
    const FileReport all = judged(witness, options);
    if (all.findings.size() < 2) continue;
    options.listed = 1;
    const FileReport one = judged(witness, options);
    CHECK(one.findings.size() == 1);
    CHECK(one.truncated());
    CHECK(one.verdict == all.verdict);
    CHECK(one.counts.error == all.counts.error);
    CHECK(one.counts.warning == all.counts.warning);
  }
}

}  // namespace
}  // namespace support
