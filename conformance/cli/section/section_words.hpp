#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "conformance/section/value_section.hpp"

namespace parqproof::cli {

/// A section as the command line and golden vectors describe it.
struct SectionWords {
  std::string encoding;                      ///< name in the specification
  std::string type;                          ///< a physical type, or LEVEL
  std::optional<std::uint64_t> type_length;  ///< only of FIXED_LEN_BYTE_ARRAY
  std::optional<std::uint64_t> bit_width;    ///< of LEVEL; of indices, equal to their first byte
  std::uint64_t count = 0;
  std::string selector;  ///< be or le, only of INT64 in GROUP_VAR_INT; empty: be
};

class Subcommand;

/// Declares the options of `decode` and `encode` that describe a section; `decode` adds --count.
void declare_section(Subcommand& sub, SectionWords& words);

/// Parses the words; the error is the message.
[[nodiscard]] std::expected<LoneSection, std::string> section_of(const SectionWords& words);

}  // namespace parqproof::cli
