#include "conformance/report/words/rule_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

std::string message_of(Rule rule, FindingValue found, FindingValue expected) {
  Finding finding;
  finding.rule = rule;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  finding.detail = "3";
  CHECK(message(finding) == text_message(finding));
  return message(finding);
}

}  // namespace

TEST_CASE("a noun after one is in the singular, and so is its verb") {
  CHECK(message_of(Rule::wkb_truncated, 1, 8) == "1 byte is left in value 3; the next part takes 8");
  CHECK(message_of(Rule::wkb_truncated, 0, 8) == "0 bytes are left in value 3; the next part takes 8");
  CHECK(message_of(Rule::wkb_truncated, 2, 8) == "2 bytes are left in value 3; the next part takes 8");
  CHECK(message_of(Rule::rle_truncated, 0, 1) == "the run is truncated: 0 of 1 byte");
  CHECK(message_of(Rule::size_statistics_histogram_sum, 7, 1) ==
        "the sum of the counters is 7; there is 1 entry");
  CHECK(message_of(Rule::size_statistics_histogram_sum, 1, 7) ==
        "the sum of the counters is 1; there are 7 entries");
}

TEST_CASE("a bound of one is in the singular, a range that begins at one is not") {
  CHECK(is_singular(1));
  CHECK(is_singular(at_least(1)));
  CHECK(is_singular(at_most(1)));
  CHECK_FALSE(is_singular(0));
  CHECK_FALSE(is_singular(-1));
  CHECK_FALSE(is_singular(or_more(1)));
  CHECK_FALSE(is_singular(between(1, 1)));
  CHECK_FALSE(is_singular(between(0, 1)));
  CHECK_FALSE(is_singular("1"));
  CHECK_FALSE(is_singular(kAbsent));
}

TEST_CASE("the list of rules has messages with values and plural nouns") {
  CHECK(message_form(info(Rule::wkb_truncated)) ==
        "{0} bytes are left in value {2}; the next part takes {1}");
  for (const RuleInfo& rule : all_rules()) CHECK(message_form(rule).find('|') == std::string::npos);
}

}  // namespace parqproof
