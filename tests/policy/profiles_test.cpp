#include "conformance/policy/profiles.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <optional>
#include <string>

#include "tests/witnesses/witness.hpp"

namespace parqproof {
namespace {

/// Severities with which the fail files of a rule report it under a profile; empty if none does.
std::optional<Severity> shown(Rule rule, Profile profile) {
  std::optional<Severity> severity;
  for (const support::Witness& witness :
       support::read_witnesses("corpus/witnesses/" + std::string(info(rule).id) + "/")) {
    if (!witness.fails) continue;
    CheckOptions options = witness.options();
    options.profile = profile;
    options.advice = true;
    for (const FileReport& report : support::judged_with_files(witness, options)) {
      for (const ReportedFinding& one : report.findings) {
        if (one.finding.rule == rule) severity = one.severity;
      }
    }
  }
  return severity;
}

TEST_CASE("each row of profiles.def has an effect on the fail files of its rule") {
  for (const ProfileRow& row : profile_rows()) {
    INFO(to_string(row.profile) << ", " << info(row.rule).id);
    const Severity severity = info(row.rule).severity;
    const bool only = row.change == ProfileChange::only;
    CHECK(shown(row.rule, Profile::strict) == (only ? std::nullopt : std::optional(severity)));
    if (only) CHECK(shown(row.rule, Profile::interop) == std::nullopt);
    switch (row.change) {
      case ProfileChange::not_judged:
        CHECK(shown(row.rule, row.profile) == std::nullopt);
        break;
      case ProfileChange::only:
        CHECK(shown(row.rule, row.profile) == severity);
        break;
      case ProfileChange::info:
        CHECK(shown(row.rule, row.profile) == Severity::info);
        break;
    }
  }
}

TEST_CASE("a rule without a row has its own severity under each profile", "[unit]") {
  for (const Profile profile : {Profile::strict, Profile::historical, Profile::interop}) {
    const Severities severities = severities_under(profile);
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      const Rule rule = static_cast<Rule>(i);
      INFO(info(rule).id);
      if (std::ranges::find(profile_rows(), rule, &ProfileRow::rule) != profile_rows().end()) continue;
      CHECK(severities[i] == info(rule).severity);
    }
  }
}

TEST_CASE("a reason is one sentence", "[unit]") {
  for (const ProfileRow& row : profile_rows()) {
    INFO(row.why);
    CHECK(row.why.size() <= 120);
    CHECK(row.why.ends_with('.'));
    CHECK(std::isalpha(static_cast<unsigned char>(row.why.front())) != 0);  // a name of a writer may be small
    CHECK_FALSE(row.why.contains(". "));
  }
}

}  // namespace
}  // namespace parqproof
