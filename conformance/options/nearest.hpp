#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parqproof {

/// Returns "; did you mean 'check'?" with the name that is closest to a mistyped word, by letters that are
/// missing, extra, wrong or swapped; empty if none is close.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// The message about a rule, or a pattern of rules, that does not exist.
[[nodiscard]] std::string no_such_rule(const std::string& pattern);

}  // namespace parqproof
