#pragma once

#include "codec/rules/rule.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/out.hpp"

/// The table of rules, in the forms of `parqproof rules`.
namespace parqproof {

/// Members of a rule; `profile` has the changes that the profiles other than strict make to it.
void write_rule_members(JsonWriter& json, Rule id);

void write_rules_json(Out& out);
void write_rules_markdown(Out& out);
void write_rules_text(Out& out);

}  // namespace parqproof
