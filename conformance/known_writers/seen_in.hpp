#pragma once

#include <string_view>

#include "codec/rules/rule.hpp"

namespace parqproof {

/// The writers in corpus/writers whose files break the rule, with their versions: "arrow-rs 60.1.0, ...".
/// Empty if there are none.
[[nodiscard]] std::string_view seen_in(Rule rule) noexcept;

}  // namespace parqproof
