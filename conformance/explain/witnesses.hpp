#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// The smallest file in corpus/witnesses that breaks a rule; the table of them is built into the program.
struct Witness {
  std::string_view rule;
  std::string_view name;       ///< file name without its extension
  std::string_view about;      ///< description of the fault, in one sentence
  std::string_view file_name;  ///< the name that the rule is about; empty: any
  /// The options to check it with, as words of the command line; an edition of "" is the default, a limit of
  /// 0, too.
  std::string_view tier, profile, edition;
  bool advice;
  std::uint64_t max_page;
  std::uint64_t max_memory;
  std::string_view keys;                ///< JSON of --keys; empty: none
  bool needs_others;                    ///< it breaks its rule only with the other files that it names
  std::int64_t at;                      ///< first byte at fault; -1: in a compressed page
  std::uint64_t size;                   ///< bytes of the file
  std::span<const std::uint8_t> bytes;  ///< empty if the file is too large to be built in
};

/// The witnesses, ordered by rule.
[[nodiscard]] std::span<const Witness> witnesses() noexcept;

}  // namespace parqproof
