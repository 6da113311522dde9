#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "codec/rules/rule.hpp"

namespace parqproof {

/// Numbers of rules, in the order in which a report meets them: it tells each rule once, and refers to it.
class RuleNumbers {
 public:
  /// The number of a rule; a new one if it was not met before.
  std::size_t of(Rule rule) {
    const auto [at, fresh] = numbers_.try_emplace(rule, rules_.size());
    if (fresh) rules_.push_back(rule);
    return at->second;
  }
  /// The number of a rule that was met.
  [[nodiscard]] std::size_t at(Rule rule) const { return numbers_.at(rule); }
  /// The rules by their numbers.
  [[nodiscard]] const std::vector<Rule>& all() const noexcept { return rules_; }

 private:
  std::vector<Rule> rules_;
  std::map<Rule, std::size_t> numbers_;
};

}  // namespace parqproof
