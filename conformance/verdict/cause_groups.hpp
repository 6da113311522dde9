#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/policy/policy.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Path of the column of a place; empty if the place has none.
[[nodiscard]] std::string column_of(const ParsedFooter& footer, const Place& place);

/// Adds the findings of the check to the report: all are counted and belong to a cause, and the requested
/// number is listed.
void report_findings(FileReport& report, FileCheck& check, const Policy& policy);

/// Ordinal of the cause of each listed finding.
[[nodiscard]] std::vector<std::size_t> causes_of_findings(const FileReport& report);

/// Reduces the listed findings to `max`; 0 means all.
void keep_listed_findings(FileReport& report, std::uint64_t max);

}  // namespace parqproof
