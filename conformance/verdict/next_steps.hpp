#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// What can be done with a file that is damaged: commands that work for it, as its report says what is
/// lost. None for a file of which nothing is, for standard input, and where a name cannot be printed as it
/// is.
[[nodiscard]] std::vector<NextStep> next_steps(const Context& context, const FileReport& report);

/// A path as one word of a shell, which no command takes for an option; nothing where it has characters that
/// a terminal does not show.
[[nodiscard]] std::optional<std::string> shell_word(const std::string& path);

/// The word for a copy of a file in the same folder, with `mark` in its name.
[[nodiscard]] std::optional<std::string> name_of_copy(std::string path, const char* mark = ".repaired");

/// Returns true for a loss of rows, false for that of an index or a filter.
[[nodiscard]] bool is_of_data(const Lost& lost);

/// Characters of a command that is offered, the paths in it aside.
inline constexpr std::size_t kLongestCommand = 400;

}  // namespace parqproof
