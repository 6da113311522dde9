#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"

namespace parqproof {

/// A file whose footer is lost, with another footer after its last byte.
class RebuiltSource final : public Source {
 public:
  /// `file` outlives this object. `footer`: the bytes of the FileMetaData.
  /// `lost`: bytes that are read as zeros.
  RebuiltSource(const Source& file, std::vector<std::uint8_t> footer,
                std::vector<std::pair<std::uint64_t, std::uint64_t>> lost);
  [[nodiscard]] std::uint64_t size() const noexcept override { return file_.size() + footer_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;

 private:
  const Source& file_;
  std::vector<std::uint8_t> footer_;  // with its length and magic
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lost_;
};

/// A footer made from what is left of a file.
struct RebuiltFooter {
  std::unique_ptr<RebuiltSource> file;  ///< null if the schema is unknown, for the reason `why`
  std::string why;
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
