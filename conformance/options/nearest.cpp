#include "conformance/options/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Max length of a word for which similar names are searched.
constexpr std::size_t kMaxWordLength = 100;

/// Edit distance: letters to insert, delete, replace or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  if (word.size() > kMaxWordLength) return {};
  std::size_t closest = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string nearest;
  for (const std::string& name : names) {
    const std::size_t far = distance(word, name);
    if (far >= closest) continue;
    closest = far;
    nearest = name;
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

std::string no_such_rule(const std::string& pattern) {
  const std::size_t slash = pattern.find('/');
  const bool area = pattern.ends_with("/*");
  std::vector<std::string> names;
  for (const RuleInfo& rule : all_rules()) {
    const std::string id(rule.id);
    const std::size_t at = id.find('/');
    if (slash == pattern.npos && id.substr(at + 1) == pattern)  // only the area is missing
      return fmt::format("no rule is named '{}'; did you mean '{}'?", pattern, id);
    names.push_back(area ? id.substr(0, at).append("/*") : id);
  }
  if (std::ranges::find(names, pattern) != names.end())
    return "'" + pattern + "' are all rules of an area; `parqproof rules` lists them";
  const std::string near = did_you_mean(pattern, names);
  return "no rule is named '" + pattern + "'" + (near.empty() ? "; `parqproof rules` lists them" : near);
}

}  // namespace parqproof
