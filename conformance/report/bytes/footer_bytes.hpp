#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/thrift/table.hpp"

/// The bytes of a footer, for those who show it and judge nothing.
namespace parqproof {

/// How far a footer could be shown.
enum class DumpEnd : std::uint8_t {
  whole,
  stopped,     ///< at bytes that cannot be read; the output says where
  encrypted,   ///< the footer is encrypted: only what tells how was shown
  limit,       ///< the footer is larger than the limit
  unreadable,  ///< the source failed
};

/// Where the reading of a footer stopped, and why.
struct Stop {
  std::uint64_t offset = 0;
  std::string why;
};

/// A footer, or what tells how it is encrypted.
struct FooterBytes {
  Frame frame;
  const thrift::StructType* type = nullptr;  ///< FileMetaData or FileCryptoMetaData
  View bytes;                                ///< empty where there is none
  std::optional<Stop> stop;
  DumpEnd end = DumpEnd::whole;
};

/// Finds the footer of a file. `encrypted` holds the bytes of one that is encrypted, and has to outlive the
/// result.
[[nodiscard]] FooterBytes find_footer(const Source& source, std::vector<std::uint8_t>& encrypted);

/// Where the footer of the file is lost: takes the bytes of what is left of one, from the first byte of its
/// struct on. True where something is.
bool take_what_is_left(const Source& source, FooterBytes& footer);

/// Why a walk over the footer broke at byte `at`: what the strict reader says of the byte where it gives up.
[[nodiscard]] Stop why_broken(const FooterBytes& footer, std::uint64_t at);

/// The last of the findings, in words; nothing where there is none.
[[nodiscard]] std::optional<Stop> stop_of(const Findings& findings);

/// What is in the way of a footer that could not be shown to its end, in words.
[[nodiscard]] std::string end_text(const FooterBytes& footer);

}  // namespace parqproof
