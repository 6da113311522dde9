#pragma once

#include <string>
#include <vector>

#include "conformance/result/file_report.hpp"

namespace parqproof {

/// What is still there in a file whose footer is lost, and what can be done with it: one sentence an element.
[[nodiscard]] std::vector<std::string> remains_text(const Remains& remains);

}  // namespace parqproof
