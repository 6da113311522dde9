#pragma once

#include <map>
#include <string>
#include <vector>

#include "codec/rules/editions.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/options/refuse.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/policy/profiles.hpp"

/// The options of a check as words. `option` is the name of the option in complaints.
namespace parqproof {

[[nodiscard]] const std::map<std::string, Tier>& tiers_by_word();
[[nodiscard]] const std::map<std::string, Profile>& profiles_by_word();
[[nodiscard]] const std::map<std::string, Edition>& editions_by_word();

/// Calls refuse() with the words that are accepted, and the nearest of them.
[[noreturn]] void refuse_word(const std::string& option, const std::string& word,
                              const std::vector<std::string>& words);

/// The value of a word, or refuse().
template <typename Value>
[[nodiscard]] Value value_of_word(const std::string& option, const std::string& word,
                                  const std::map<std::string, Value>& values) {
  const auto found = values.find(word);
  if (found != values.end()) return found->second;
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const auto& [name, value] : values) words.push_back(name);
  refuse_word(option, word, words);
}

/// Calls refuse() unless the pattern matches a rule.
void require_rule(const std::string& option, const std::string& pattern);

/// The change of --ignore RULE, or refuse().
[[nodiscard]] RuleChange ignored_rule(const std::string& option, const std::string& pattern);
/// The change of --severity RULE=LEVEL, or refuse().
[[nodiscard]] RuleChange changed_severity(const std::string& option, const std::string& text);

}  // namespace parqproof
