#pragma once

#include <string>
#include <vector>

#include "conformance/result/file_report.hpp"

namespace parqproof {

/// Readable parts of a file whose footer is lost, and next steps: one sentence for each element.
[[nodiscard]] std::vector<std::string> remains_text(const Remains& remains);

}  // namespace parqproof
