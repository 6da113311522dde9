#pragma once

#include <atomic>
#include <string_view>

#include "conformance/report/out.hpp"

/// Signals, terminal and exit codes of the program.
namespace parqproof::cli {

/// Exit codes of the program.
inline constexpr int kFine = 0;
inline constexpr int kBroken = 1;       ///< the input breaks a rule
inline constexpr int kCouldNotRun = 2;  ///< the program could not run, or could not finish

/// Ignores SIGPIPE, so that writes fail with an error. The first Ctrl-C, SIGTERM or SIGHUP sets cancelled(),
/// so that temporary files are removed; the second ends the program. SIGHUP stays ignored under nohup.
void handle_signals();
[[nodiscard]] const std::atomic<bool>& cancelled() noexcept;

/// Returns true if a descriptor is a terminal that supports colour and changing lines (false with NO_COLOR or
/// TERM=dumb).
[[nodiscard]] bool fancy(int descriptor);

/// Prints an escaped complaint to stderr.
void complain(std::string_view text);

/// The same for a call that cannot go on; returns the exit code 2.
[[nodiscard]] int could_not_run(std::string_view why);

/// Flushes the output; returns `code`, or 2 after a complaint if it could not all be written.
[[nodiscard]] int finish(Out& out, int code);

}  // namespace parqproof::cli
