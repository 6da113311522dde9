#include <algorithm>

#include "conformance/rewrite/rewrite.hpp"

namespace parqproof {

std::string unchecked_text(const RewriteOutcome& outcome) {
  constexpr std::size_t kListed = 10;
  std::string text = "no checksum covers the pages of the columns ";
  for (std::size_t i = 0; i < std::min(kListed, outcome.unchecked.size()); ++i)
    text += (i == 0 ? "" : ", ") + outcome.unchecked[i];
  if (outcome.unchecked.size() > kListed)
    text += " and " + std::to_string(outcome.unchecked.size() - kListed) + " more";
  return text + ": damage to their values alone leaves no trace";
}

std::string salvage_text(const RewriteOutcome& outcome) {
  std::string text;
  const auto add = [&text](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  for (const std::string& line : outcome.rebuilt) add(line);
  describe(outcome.left_out, [&add](const std::string& line, bool) { add(line); });
  if (!outcome.unchecked.empty()) add(unchecked_text(outcome));
  return text;
}

}  // namespace parqproof
