#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/policy/policy.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The path of the column that a place names; empty where it names none.
[[nodiscard]] std::string column_of(const ParsedFooter& footer, const Place& place);

/// Puts the findings of the check into the report: all of them are counted and belong to a cause, and as many
/// as are asked for are listed.
void report_findings(FileReport& report, FileCheck& check, const Policy& policy);

/// Of each finding that a report lists, the ordinal of its cause.
[[nodiscard]] std::vector<std::size_t> causes_of_findings(const FileReport& report);

/// Lists no more than `most` of the findings that a report lists; 0: all.
void list_findings(FileReport& report, std::uint64_t most);

}  // namespace parqproof
