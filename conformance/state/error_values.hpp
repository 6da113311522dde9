#pragma once

#include "codec/base/result.hpp"
#include "codec/rules/finding.hpp"

namespace parqproof {

/// What a decoder found and expected: its numbers may be bounds, or stand for more than a number. Only what
/// the rule carries is there; the detail is left to the caller.
[[nodiscard]] Contrast values_of(const Error& error);

}  // namespace parqproof
