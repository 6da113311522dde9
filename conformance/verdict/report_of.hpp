#pragma once

#include <string>

#include "conformance/policy/options.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Report of a file that was checked; takes the outcome out of the check.
[[nodiscard]] FileReport report_of(FileCheck& check, const Policy& policy, std::string path);

/// Report of a file that could not be opened or read, for the reason `why`.
[[nodiscard]] FileReport unreadable(std::string path, std::string why, const CheckOptions& options);

}  // namespace parqproof
