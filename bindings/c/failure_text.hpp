#pragma once

#include <string>

#include "conformance/rows/reading_failure.hpp"

namespace parqproof::c {

/// Why a file cannot be read further, in one line: the rule, what is wrong, and the place.
[[nodiscard]] std::string failure_text(const ReadingFailure& failure);

}  // namespace parqproof::c
