#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/check/context.hpp"
#include "conformance/check/report.hpp"
#include "conformance/check/undone_source.hpp"

namespace parqproof {

/// What can be done with a file that is damaged: commands that work for it, as its report says what is
/// lost. None for a file of which nothing is, for standard input, and where a name cannot be printed as it
/// is.
[[nodiscard]] std::vector<NextStep> next_steps(const FileFacts& facts, const FileReport& report);

/// What can be done with a file that was mangled as a whole, as its report says: how a copy of the file as it
/// was is made, with zeros where bytes are missing, and how its rows are read. Nothing where its bytes stand
/// where they stood, and where a name cannot be printed as it is.
[[nodiscard]] std::vector<NextStep> steps_to_undo(const FileReport& report, const UndoneSource& undone);

/// A path as one word of a shell, which no command takes for an option; nothing where it has characters that
/// a terminal does not show.
[[nodiscard]] std::optional<std::string> shell_word(const std::string& path);

}  // namespace parqproof
