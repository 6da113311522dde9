#pragma once

#include "codec/rules/rule.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// Writes what `parqproof explain` prints: what the rule demands, its clause, harm and fix, the changes of
/// profiles and editions, and the bytes of the smallest file of the corpus that breaks it. `fancy` adds
/// colours and links.
void explain(Rule rule, bool fancy, Out& out);

/// The same facts as JSON: the members of the rule list, `known_bugs`, and `witness` with the options and
/// keys of the check in which it breaks the rule, `needs_others` if other files are needed, and the bytes in
/// hex if they are built in.
void explain_json(Rule rule, Out& out);

}  // namespace parqproof
