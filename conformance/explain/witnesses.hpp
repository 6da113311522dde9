#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// The smallest file in corpus/witnesses that breaks a rule; the table of them is built into the program.
struct Witness {
  std::string_view rule;
  std::string_view name;     ///< file name without its extension
  std::string_view about;    ///< description of the fault, in one sentence
  std::string_view profile;  ///< profile to check it with
  std::uint64_t max_page;    ///< limits to check it with; 0: the default
  std::uint64_t max_memory;
  std::int64_t at;                      ///< first byte at fault; -1: in a compressed page
  std::uint64_t size;                   ///< bytes of the file
  std::span<const std::uint8_t> bytes;  ///< empty if the file is too large to be built in
};

/// The witnesses, ordered by rule.
[[nodiscard]] std::span<const Witness> witnesses() noexcept;

}  // namespace parqproof
