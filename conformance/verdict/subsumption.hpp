#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Attributes duplicate findings to their causes: those that say in other words what another finding about
/// the same field or column chunk says better (codec/rules/subsumed.def).
void attribute_duplicates(FileCheck& check);

}  // namespace parqproof
