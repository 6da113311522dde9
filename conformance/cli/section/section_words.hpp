#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "conformance/section/value_section.hpp"

namespace parqproof::cli {

/// A section as the command line and golden vectors describe it.
struct SectionWords {
  std::string encoding;                      ///< the specification's name
  std::string type;                          ///< a physical type, or LEVEL
  std::optional<std::uint64_t> type_length;  ///< of FIXED_LEN_BYTE_ARRAY, and of no other type
  std::optional<std::uint64_t> bit_width;    ///< of LEVEL; of indices, that which their first byte has
  std::uint64_t count = 0;
  std::string selector;  ///< be or le, of GROUP_VAR_INT of INT64; empty: be
};

class Subcommand;

/// Declares the options that describe a section to `decode` and to `encode`; --count is decode's alone.
void declare_section(Subcommand& sub, SectionWords& words);

/// The section that the words describe, or what is wrong with them.
[[nodiscard]] std::expected<LoneSection, std::string> section_of(const SectionWords& words);

}  // namespace parqproof::cli
