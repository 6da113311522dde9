#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// file/footer-length of a file whose footer is lost, or looks so: a FileMetaData ends where the length
/// is, and begins elsewhere than the length says. False: there is none. `wanted` are the rules that are
/// judged.
bool explain_footer_length(FileCheck& check, const RuleSet& wanted);

}  // namespace parqproof
