#include "conformance/options/check_words.hpp"

#include <algorithm>
#include <cstddef>

#include "conformance/options/nearest.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {

const std::map<std::string, Tier>& tiers_by_word() {
  static const std::map<std::string, Tier> words = {
      {"footer", Tier::footer}, {"pages", Tier::pages}, {"values", Tier::values}};
  return words;
}

const std::map<std::string, Profile>& profiles_by_word() {
  static const std::map<std::string, Profile> words = {
      {"strict", Profile::strict}, {"historical", Profile::historical}, {"interop", Profile::interop}};
  return words;
}

const std::map<std::string, Edition>& editions_by_word() {
  static const std::map<std::string, Edition> words = [] {
    std::map<std::string, Edition> out;
    for (const Edition edition : kJudgedEditions) out.emplace(to_string(edition), edition);
    return out;
  }();
  return words;
}

void refuse_word(const std::string& option, const std::string& word, const std::vector<std::string>& words) {
  refuse(option + ": '" + word + "' is not one of " + joined(words) + did_you_mean(word, words));
}

void require_rule(const std::string& option, const std::string& pattern) {
  if (!names_a_rule(pattern)) refuse(option + ": " + no_such_rule(pattern));
}

RuleChange ignored_rule(const std::string& option, const std::string& pattern) {
  require_rule(option, pattern);
  return {pattern, "off"};
}

RuleChange changed_severity(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::string level = equals == text.npos ? "" : text.substr(equals + 1);
  if (std::ranges::find(kLevels, level) == kLevels.end())
    refuse(option + ": '" + text + "' is not RULE=error, warning, info or off");
  require_rule(option, text.substr(0, equals));
  return {text.substr(0, equals), level};
}

}  // namespace parqproof
