#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parqproof::cli {

/// "; did you mean 'check'?" with the name that is nearest to a mistyped word by letters that are missing,
/// too many, wrong or exchanged; empty where none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// What there is to say of a rule, or a pattern of rules, that does not exist.
[[nodiscard]] std::string no_such_rule(const std::string& pattern);

}  // namespace parqproof::cli
