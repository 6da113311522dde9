#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/schema/schema.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The fields of a FILE group (LogicalTypes.md#file).
enum class FileField : std::uint8_t { uri, offset, size, content_type, checksum, inline_bytes };
inline constexpr std::size_t kFileFields = 6;

/// A group that FILE annotates.
struct FileGroup {
  std::uint32_t node = 0;
  std::array<std::optional<std::size_t>, kFileFields> leaves;  ///< by FileField: the ordinal of the column
  std::uint32_t definition = 0;                                ///< at which the group is there
  std::size_t first = 0;                                       ///< its columns: [first, last)
  std::size_t last = 0;
  bool is_usable = true;  ///< each field has its type, and is optional

  [[nodiscard]] std::optional<std::size_t> leaf(FileField field) const noexcept {
    return leaves[static_cast<std::size_t>(field)];
  }
};

/// Checks the FILE annotations of the schema (file-type/group, fields, field-type, field-optional and
/// resolvable).
void check_file_groups(FileCheck& check);

[[nodiscard]] std::vector<FileGroup> file_groups(const Schema& schema);

}  // namespace parqproof
