#pragma once

#include <string>
#include <string_view>

#include "conformance/report/out.hpp"
#include "conformance/result/file_report.hpp"

/// Colours, and the block of lines that tells a cause.
namespace parqproof {

inline constexpr const char* kBold = "1";
[[nodiscard]] const char* colour_of(Severity severity);
[[nodiscard]] const char* colour_of(Verdict verdict);
/// The text in a colour, if that is `wanted`.
[[nodiscard]] std::string paint(std::string_view text, const char* colour, bool wanted);

/// A cause in words: what is wrong at its first place, all of its places, and what goes wrong for a reader.
/// One with a single place is told as write_finding() does.
void write_cause(Out& out, const Cause& cause, bool fancy);

}  // namespace parqproof
