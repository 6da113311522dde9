#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/out.hpp"
#include "conformance/result/file_report.hpp"

/// The order of causes, colours, and the text block of a cause.
namespace parqproof {

/// The causes of a file: errors, warnings, infos, each in the order of the file.
[[nodiscard]] std::vector<const Cause*> causes_by_severity(const FileReport& file);

inline constexpr const char* kBold = "1";
[[nodiscard]] const char* colour_of(Severity severity);
[[nodiscard]] const char* colour_of(Verdict verdict);
/// The text in a colour, if `wanted`.
[[nodiscard]] std::string paint(std::string_view text, const char* colour, bool wanted);

/// The message of a cause. If its places differ in found or expected, it is marked as that of the first.
[[nodiscard]] std::string message_of(const Cause& cause);

/// With a baseline, the columns of a cause that it does not have: `column a (leaf 0)`; empty if all or none
/// are new.
[[nodiscard]] std::string new_columns_text(const Cause& cause);

/// Writes a cause: the message at its first place, all places, and the harm. A cause with one place is
/// written like write_finding() does.
void write_cause(Out& out, const Cause& cause, bool fancy);

}  // namespace parqproof
