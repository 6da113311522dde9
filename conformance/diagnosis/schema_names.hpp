#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// schema/name: an element of the schema that all column chunks below it know by one other name. The finding
/// takes the place of column-chunk/path of these chunks. One chunk alone may as well be the liar, unless its
/// path has the name that LIST or MAP asks for at this place. `wanted` are the rules that are judged.
void explain_schema_names(FileCheck& check, const RuleSet& wanted);

}  // namespace parqproof
