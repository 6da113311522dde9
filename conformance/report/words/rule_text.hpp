#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "codec/rules/finding.hpp"
#include "codec/rules/rule.hpp"

/// Text of rules and of their findings.
namespace parqproof {

/// The message of a finding's rule, with the found and expected values and the detail filled in.
[[nodiscard]] std::string message(const Finding& finding);

/// The same for text: long numbers are grouped.
[[nodiscard]] std::string text_message(const Finding& finding);

/// The message of a rule with {0}, {1} and {2} in place of the found and expected values and the detail.
[[nodiscard]] std::string message_form(const RuleInfo& rule);

/// URL of the clause of a rule, in the document at kSpecCommit. Clauses about parquet.thrift have no anchor.
[[nodiscard]] std::string clause_url(const RuleInfo& rule);

/// Numbers rules in the order of their first occurrence, for reports that describe each rule once.
class RuleNumbers {
 public:
  /// The number of a rule; adds the rule if it is new.
  std::size_t of(Rule rule) {
    const auto [at, fresh] = numbers_.try_emplace(rule, rules_.size());
    if (fresh) rules_.push_back(rule);
    return at->second;
  }
  /// The number of a rule that was added.
  [[nodiscard]] std::size_t at(Rule rule) const { return numbers_.at(rule); }
  /// The rules, ordered by number.
  [[nodiscard]] const std::vector<Rule>& all() const noexcept { return rules_; }

 private:
  std::vector<Rule> rules_;
  std::map<Rule, std::size_t> numbers_;
};

}  // namespace parqproof
