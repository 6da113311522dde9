#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof::cli {

/// The smallest file that breaks a rule, as corpus/witnesses has it; the table of them is built into the
/// program.
struct Witness {
  std::string_view rule;
  std::string_view name;     ///< of the file, without its extension
  std::string_view about;    ///< what is wrong with it, in one sentence
  std::string_view profile;  ///< to check it with
  std::uint64_t max_page;    ///< ceilings to check it with, 0: the default
  std::uint64_t max_memory;
  std::int64_t at;                      ///< first byte at fault, -1: in a page that has to be decompressed
  std::uint64_t size;                   ///< bytes of the file
  std::span<const std::uint8_t> bytes;  ///< empty where the file is too large to be built in
};

/// In the order of their rules.
[[nodiscard]] std::span<const Witness> witnesses() noexcept;

}  // namespace parqproof::cli
