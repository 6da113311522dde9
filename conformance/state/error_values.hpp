#pragma once

#include "codec/base/result.hpp"
#include "codec/rules/finding.hpp"

namespace parqproof {

/// Found and expected values of a decoder error; its numbers may be bounds, or codes of other values. Only
/// values that the rule has are set; the caller adds the detail.
[[nodiscard]] Contrast values_of(const Error& error);

}  // namespace parqproof
