#include "codec/rules/editions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "conformance/report/words/wording.hpp"
#include "tests/witnesses/witness.hpp"

namespace parqproof {
namespace {

/// Returns true if a fail file of the rule breaks it under an edition.
bool is_broken(Rule rule, Edition edition) {
  for (const support::Witness& witness :
       support::read_witnesses("corpus/witnesses/" + std::string(info(rule).id) + "/")) {
    if (!witness.fails) continue;
    CheckOptions options = witness.options();
    options.edition = edition;
    options.advice = true;
    for (const FileReport& report : support::judged_with_files(witness, options)) {
      if (std::ranges::any_of(report.findings, [&](const auto& one) { return one.finding.rule == rule; }))
        return true;
    }
  }
  return false;
}

TEST_CASE("a rule is judged from the edition on that added it") {
  for (const EditionRow& row : edition_rows()) {
    INFO(info(row.rule).id);
    CHECK(is_broken(row.rule, row.since));
    REQUIRE(row.since != Edition::v2_13);
    CHECK_FALSE(is_broken(row.rule, static_cast<Edition>(static_cast<int>(row.since) - 1)));
  }
}

TEST_CASE("what an edition added is named under an earlier one, and only there") {
  std::set<std::string> named;
  for (const support::Witness& witness : support::read_witnesses("corpus/witnesses/edition/undefined/")) {
    for (const Edition edition : {Edition::v2_13, Edition::v2_14, Edition::next}) {
      CheckOptions options = witness.options();
      options.edition = edition;
      for (const FileReport& report : support::judged_with_files(witness, options)) {
        for (const ReportedFinding& one : report.findings) {
          if (one.finding.rule != Rule::edition_undefined) continue;
          // A witness may have a fault of another column as well.
          const bool has_error = std::ranges::any_of(
              report.findings, [](const auto& other) { return other.severity == Severity::error; });
          CHECK(report.verdict == (has_error ? Verdict::nonconforming : Verdict::unsupported));
          named.insert(std::string(to_string(edition)) + ": " + plain_text(one.finding.found));
        }
      }
    }
  }
  for (std::size_t i = 0; i < std::size(kAdditions); ++i) {
    const auto addition = static_cast<Addition>(i);
    for (const Edition edition : {Edition::v2_13, Edition::v2_14, Edition::next}) {
      INFO(info(addition).name << " under " << to_string(edition));
      const std::string line = std::string(to_string(edition)) + ": " + std::string(info(addition).name);
      CHECK(named.contains(line) != is_defined(addition, edition));
    }
  }
}

}  // namespace
}  // namespace parqproof
