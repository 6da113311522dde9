#pragma once

#include <atomic>
#include <string_view>

#include "conformance/report/out.hpp"

/// What the program has to do with the world around it.
namespace parqproof::cli {

/// Exit codes of the program.
inline constexpr int kFine = 0;
inline constexpr int kBroken = 1;       ///< the input breaks a rule
inline constexpr int kCouldNotRun = 2;  ///< the program could not run, or could not finish

/// Ignores SIGPIPE (a write then fails, quietly) and lets the first Ctrl-C set cancelled(); the second ends
/// the program.
void handle_signals();
[[nodiscard]] const std::atomic<bool>& cancelled() noexcept;

/// Whether a descriptor is a terminal that takes colour and lines that change (NO_COLOR, TERM=dumb: none
/// does).
[[nodiscard]] bool fancy(int descriptor);

/// A complaint about the call, to stderr; the text is escaped.
void complain(std::string_view text);

/// Ends the output: `code`, or 2 with a complaint if it could not all be written.
[[nodiscard]] int finish(Out& out, int code);

}  // namespace parqproof::cli
