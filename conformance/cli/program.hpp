#pragma once

namespace parqproof::cli {

/// The program: its own options, its subcommands, and errors in a call. Returns the exit code. It takes over
/// SIGINT, SIGPIPE and the allocator of the process, and is called once.
[[nodiscard]] int run_program(int argc, char** argv);

}  // namespace parqproof::cli
