# Writes the enumeration of the rules, and the list of those that are noted, from the first line of each row of rules.def, so that whoever names a rule is not compiled
# again when a text of the table changes.
set(rules_table ${PROJECT_SOURCE_DIR}/codec/rules/rules.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rules_table})
file(STRINGS ${rules_table} rule_names REGEX "^PARQPROOF_RULE\\(")
set(noted_rules ${rule_names})
list(FILTER noted_rules INCLUDE REGEX ", continues,$")
list(TRANSFORM noted_rules REPLACE "^PARQPROOF_RULE\\(([a-z0-9_]+),.*" "    Rule::\\1,")
list(JOIN noted_rules "\n" noted_rules)
list(TRANSFORM rule_names REPLACE "^PARQPROOF_RULE\\(([a-z0-9_]+),.*" "  \\1,")
list(LENGTH rule_names rule_count)
list(JOIN rule_names "\n" rule_names)
set(generated_include_dir ${PROJECT_BINARY_DIR}/include)
file(CONFIGURE OUTPUT ${generated_include_dir}/codec/rules/rule_names.hpp @ONLY CONTENT [[#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace parqproof {

/// Every rule, in the order of its id.
enum class Rule : std::uint16_t {
@rule_names@
};

/// How many rules there are; each has a number below it.
inline constexpr std::size_t kRuleCount = @rule_count@;

/// The rules at whose violation a decoder continues, in the order of their ids.
inline constexpr auto kNotedRules = std::to_array<Rule>({
@noted_rules@
});

}  // namespace parqproof
]])
