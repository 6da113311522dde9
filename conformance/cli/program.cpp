#include "conformance/cli/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <expected>
#include <string>
#include <string_view>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace parqproof::cli {
namespace {

constexpr const char* kHelpFooter = R"(
See `parqproof SUBCOMMAND --help`. Exit code: 0 fine; 1 the input breaks a rule; 2 it could not run or finish.

Examples:
  parqproof check a.parquet
  parqproof layout --hex a.parquet
  parqproof explain page/v2-num-nulls)";

std::string version() {
  return "parqproof " PARQPROOF_VERSION " (parquet-format " + std::string(kSpecCommit) + " of " +
         std::string(kSpecDate) + ")";
}

/// Adds the called subcommand, or all of them if there is none, as for help. Declaring all options takes as
/// long as checking a small file.
void add_subcommands(CommandLine& line, std::string_view called) {
#define PARQPROOF_ADD(name) \
  if (called == #name) return add_##name(line);
  PARQPROOF_SUBCOMMANDS(PARQPROOF_ADD)
#undef PARQPROOF_ADD
#define PARQPROOF_ADD(name) add_##name(line);
  PARQPROOF_SUBCOMMANDS(PARQPROOF_ADD)
#undef PARQPROOF_ADD
}

/// Limits the free memory that the allocator keeps. By default glibc keeps buffers of the largest size so far
/// in the heap of each thread, so that a run over many files takes a multiple of the memory of its largest
/// file.
void bound_heap() noexcept {
#ifdef __GLIBC__
  constexpr int kMapped =
      512 << 10;  // buffers of this size are returned to the system; smaller ones cost less to keep
  constexpr int kKept = 16 << 20;  // bytes that are kept at the end of a heap
  mallopt(M_MMAP_THRESHOLD, kMapped);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace

int run_program(int argc, char** argv) {
  bound_heap();
  handle_signals();
  CommandLine line("parqproof", "parqproof: the strict referee of the Apache Parquet format", kHelpFooter,
                   version());
  add_subcommands(line, argc > 1 ? argv[1] : "");
  const std::expected<Call, std::string> call = line.parse(argc, argv);
  if (!call) return could_not_run(call.error() + " (parqproof --help)");
  if (call->run) return call->run();
  Out out(STDOUT_FILENO);
  out << call->text;
  return finish(out, kFine);
}

}  // namespace parqproof::cli
