#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/thrift/table.hpp"

/// The bytes of a footer, for reports that show it without checking it.
namespace parqproof {

/// Result of showing a footer.
enum class DumpEnd : std::uint8_t {
  complete,
  stopped,     ///< at bytes that cannot be read; the output has their offset
  encrypted,   ///< the footer is encrypted; only its FileCryptoMetaData was shown
  limit,       ///< the footer is larger than the limit
  unreadable,  ///< the source failed
};

/// Offset at which the reading of a footer stopped, and the reason.
struct Stop {
  std::uint64_t offset = 0;
  std::string why;
};

/// A footer, or the FileCryptoMetaData of an encrypted one.
struct FooterBytes {
  Frame frame;
  const thrift::StructType* type = nullptr;  ///< FileMetaData or FileCryptoMetaData
  View bytes;                                ///< empty if there is none
  std::optional<Stop> stop;
  DumpEnd end = DumpEnd::complete;
};

/// Finds the footer of a file. `encrypted` receives the bytes of an encrypted one, and must outlive the
/// result.
[[nodiscard]] FooterBytes find_footer(const Source& source, std::vector<std::uint8_t>& encrypted);

/// If the footer of the file is lost, takes the remaining bytes of one, from the first byte of its struct on.
/// Returns true if there are any.
bool take_what_is_left(const Source& source, FooterBytes& footer);

/// Reason why a walk over the footer broke at byte `at`: the finding of the strict reader at that byte.
[[nodiscard]] Stop why_broken(const FooterBytes& footer, std::uint64_t at);

/// The last of the findings as text; empty if there is none.
[[nodiscard]] std::optional<Stop> stop_of(const Findings& findings);

/// Reason why a footer could not be shown to its end.
[[nodiscard]] std::string end_text(const FooterBytes& footer);

}  // namespace parqproof
