#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/check/check.hpp"
#include "conformance/cli/section_words.hpp"
#include "conformance/rows/rows.hpp"

/// The subcommands: each gets its options in plain form, calls the library, prints to stdout, and returns the
/// exit code of the program: 0 fine, 1 the input breaks a rule, 2 it could not run or could not finish.
namespace parqproof::cli {

inline constexpr int kFine = 0;
inline constexpr int kBroken = 1;
inline constexpr int kCouldNotRun = 2;

enum class Format : std::uint8_t { text, json, markdown };

struct CheckCommand {
  std::vector<std::string> paths;
  CheckOptions options;
  Format format = Format::text;
  bool quiet = false;
};
[[nodiscard]] int check_command(const CheckCommand& command);

struct FileCommand {
  std::string path;
  Format format = Format::text;
  bool hex = false;  ///< layout only: the bytes too
};
[[nodiscard]] int meta_command(const FileCommand& command);
[[nodiscard]] int layout_command(const FileCommand& command);

struct CatCommand {
  std::string path;
  RowOptions options;
};
[[nodiscard]] int cat_command(const CatCommand& command);

struct DecodeCommand {
  SectionWords section;
  bool hex = false;  ///< the input is text: the bytes in hex
  std::string path = "-";
};
[[nodiscard]] int decode_command(const DecodeCommand& command);

/// Runs the golden vectors of these files and directories; of none: those that are built in.
[[nodiscard]] int vectors_command(const std::vector<std::string>& paths);

[[nodiscard]] int rules_command(Format format);
[[nodiscard]] int explain_command(const std::string& id);
[[nodiscard]] int encodings_command(Format format);

}  // namespace parqproof::cli
