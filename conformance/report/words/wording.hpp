#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/finding.hpp"
#include "conformance/result/file_report.hpp"

/// Places, numbers and lines, as all texts of the program write them.
namespace parqproof {

/// "row group 0, column a.b (leaf 3), page 2"; empty if the place is the file. `column` is escaped here.
[[nodiscard]] std::string place_text(const Place& place, const std::string& column);

/// A readable number: "1234", "12,345,678".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// Text of a found or expected value; empty for nothing.
[[nodiscard]] std::string plain_text(const FindingValue& value);

/// The same with grouped numbers: "at most 12,345". A phrase is unchanged, because it may come from a file.
[[nodiscard]] std::string grouped(const FindingValue& value);

/// Returns true if a noun after the value is in the singular: after 1, at least 1, at most 1.
[[nodiscard]] bool is_singular(const FindingValue& value);

/// The program's own text with all numbers grouped: "from byte 12,345 to byte 23,456; 1 error".
[[nodiscard]] std::string grouped_words(std::string_view text);

/// "at: text"; only the text if `at` is empty.
[[nodiscard]] std::string with_place(const std::string& at, const std::string& text);

/// The bytes at fault: "byte 1234 (0x4d2), 4 bytes"; in an uncompressed page "page 99 + 1234, 4 bytes: ...",
/// with the offset of its header and that in its image, as `parqproof layout --at` parses them.
[[nodiscard]] std::string bytes_text(const Finding& finding);

/// "1234 (0x4d2)"
[[nodiscard]] std::string offset_text(std::uint64_t offset);

/// Width of the labels of labelled lines.
inline constexpr std::size_t kLabelColumns = 12;

/// "  label     text\n"; long text continues on the next lines, aligned.
[[nodiscard]] std::string labelled(std::string_view label, std::string_view text);

/// A part that was not checked: its place, the part, `between`, the reason.
[[nodiscard]] std::string not_run_text(const NotRun& skipped, std::string_view between = ": ");

/// "a, b"; with more that are not listed, "a, b and 3 more".
[[nodiscard]] std::string joined(const std::vector<std::string>& texts, std::uint64_t more = 0);

/// "1 page", "2 pages"
[[nodiscard]] std::string counted(std::uint64_t count, const char* noun);

}  // namespace parqproof
