#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Commands that recover data from a damaged file, chosen by the losses in its report; for a file without
/// losses, one that writes it in the encodings that were advised. None for standard input, a URL, and a name
/// that cannot be printed.
[[nodiscard]] std::vector<NextStep> next_steps(const FileCheck& check, const FileReport& report);

/// A path as one shell word that no command takes for an option; empty if it has unprintable characters, or
/// is a URL.
[[nodiscard]] std::optional<std::string> shell_word(const std::string& path);

/// The start of a command that reads a file like `source`: "parqproof cat ", with the option for its keys.
/// Empty if the path of the keys has unprintable characters.
[[nodiscard]] std::string parqproof_command(const Source& source, std::string_view subcommand);

/// Shell word for a copy of a file in the same folder, with `mark` in its name.
[[nodiscard]] std::optional<std::string> name_of_copy(std::string path, const char* mark = ".repaired");

/// Max characters of a suggested command, without the paths in it.
inline constexpr std::size_t kLongestCommand = 400;

}  // namespace parqproof
