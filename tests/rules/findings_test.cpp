// Findings with a cause: they stay in the list, count for nothing, and are removed by fold().
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <iterator>
#include <utility>

#include "codec/rules/finding.hpp"

namespace parqproof {
namespace {

Findings of_all_rules(std::size_t kept = Findings::kKept) {
  RuleSet wanted;
  wanted.set();
  return Findings(wanted, kept);
}

Finding at_page(Rule rule, std::int32_t page) {
  Finding out;
  out.rule = rule;
  out.place = {0, 0, page};
  out.offset = static_cast<std::uint64_t>(100 * page);
  return out;
}

bool is_broken(const Findings& findings, Rule rule) { return findings.broke(rule); }

const auto kAll = [](const Finding&) { return true; };

}  // namespace

TEST_CASE("a consequence does not absorb later findings of its rule, and breaks no rule", "[unit]") {
  Findings findings = of_all_rules();
  findings.add(at_page(Rule::crc_match, 0));
  findings.add(at_page(Rule::levels_count, 1));
  findings.attribute(Rule::page_num_values, 1, kAll);
  CHECK_FALSE(is_broken(findings, Rule::levels_count));
  CHECK_FALSE(findings.has_error_at({0, 0, 1}));
  findings.add(at_page(Rule::levels_count, 2));
  CHECK(is_broken(findings, Rule::levels_count));
  findings.fold();
  REQUIRE(findings.all().size() == 2);
  CHECK(findings.all()[0].rule == Rule::crc_match);
  CHECK(findings.all()[1].place.page == 2);
  CHECK(findings.all()[1].times == 1);
}

TEST_CASE("consequences of one cause are kept once a chunk, so pages without end take no memory", "[unit]") {
  Findings findings = of_all_rules();
  for (std::int32_t page = 0; page < 1000; ++page) {
    const std::size_t before = findings.all().size();
    findings.add(at_page(Rule::levels_count, page));
    findings.attribute(Rule::page_num_values, before, kAll);
  }
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].times == 1000);
  CHECK(findings.all()[0].place.page == 0);
}

TEST_CASE("consequences take no room of other findings", "[unit]") {
  Findings findings = of_all_rules(2);
  for (std::int32_t i = 0; i < 5; ++i) {
    Finding one = at_page(Rule::levels_count, i);
    one.place.row_group = i;
    findings.add(std::move(one));
    findings.attribute(Rule::page_num_values, 0, kAll);
  }
  findings.add(at_page(Rule::crc_match, 7));
  CHECK(findings.all().size() == 3);  // two consequences are kept
  CHECK(std::ranges::distance(findings.primary()) == 1);
  CHECK(findings.dropped().empty());
}

TEST_CASE("a merged consequence stays one", "[unit]") {
  Findings chunk = of_all_rules();
  chunk.add(at_page(Rule::levels_count, 1));
  chunk.attribute(Rule::page_num_values, 0, kAll);
  Findings file = of_all_rules();
  file.add(at_page(Rule::levels_count, 3));
  file.merge(std::move(chunk));
  CHECK(file.all().size() == 2);
  file.fold();
  REQUIRE(file.all().size() == 1);
  CHECK(file.all()[0].place.page == 3);
}

}  // namespace parqproof
