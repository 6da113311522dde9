#pragma once

namespace parqproof::cli {

class CommandLine;

/// The subcommands, in the order of `parqproof --help`. For each NAME, cmd_NAME.cpp defines `void
/// add_NAME(CommandLine& line)`, which adds the subcommand.
#define PARQPROOF_SUBCOMMANDS(SUBCOMMAND) \
  SUBCOMMAND(check)                       \
  SUBCOMMAND(schema)                      \
  SUBCOMMAND(meta)                        \
  SUBCOMMAND(layout)                      \
  SUBCOMMAND(cat)                         \
  SUBCOMMAND(rewrite)                     \
  SUBCOMMAND(decode)                      \
  SUBCOMMAND(encode)                      \
  SUBCOMMAND(vectors)                     \
  SUBCOMMAND(rules)                       \
  SUBCOMMAND(explain)                     \
  SUBCOMMAND(encodings)                   \
  SUBCOMMAND(mutate)

#define PARQPROOF_DECLARE_ADD(name) void add_##name(CommandLine& line);
PARQPROOF_SUBCOMMANDS(PARQPROOF_DECLARE_ADD)
#undef PARQPROOF_DECLARE_ADD

}  // namespace parqproof::cli
