#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"

namespace parqproof {

/// A footer made from what is left of a file.
struct RebuiltFooter {
  /// The file with another footer after its last byte, and zeros for what is lost; null if the schema is
  /// unknown, for the reason `why`.
  std::unique_ptr<Source> file;
  std::string why;
  bool lacks_schema = false;  ///< `why` is about the file, not about the sibling
  /// What the footer is made of, what was guessed, and what is missing, a line each.
  std::vector<std::string> notes;
};

/// Returns true if the footer of a file is lost: its bytes are missing, or it cannot be read.
[[nodiscard]] bool is_footer_lost(const Source& source, const Limits& limits);

/// Makes a footer for a file whose own one is readable: row groups whose metadata is damaged are found by
/// page headers, and column chunks that have moved by missing or inserted bytes are put where their pages
/// are. The file is null if neither is needed.
[[nodiscard]] RebuiltFooter correct_footer(const Source& source, const Source* sibling, const Limits& limits);

/// Makes a footer for a file without one: the schema and row groups of an earlier complete footer, or of the
/// readable part of a truncated one, or the schema of `sibling`, which may be null; then the row groups whose
/// pages are found by their headers.
[[nodiscard]] RebuiltFooter rebuild_footer(const Source& source, const Source* sibling, const Limits& limits);

}  // namespace parqproof
