#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "codec/rules/rule.hpp"

namespace parqproof {

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
