#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Rules of the RowGroup structs that need no page: row-group/column-count, num-rows-negative, empty,
/// ordinal, ordinal-consistent. Row groups are judged in the order of the footer.
class RowGroupFields {
 public:
  explicit RowGroupFields(FileCheck& check) noexcept : check_(check) {}

  /// Judges the next row group, `index` in its list, whose chunks were kept if its claim is complete.
  void judge(const RowGroup& group, std::uint32_t index, const RowGroupClaim& claim);
  /// Applies the rules that need all row groups, once they are in ParsedFooter::row_groups.
  void judge_all() const;

 private:
  [[nodiscard]] bool has_values(const RowGroupClaim& claim) const;

  FileCheck& check_;
  std::size_t ordinals_ = 0;                    ///< how many row groups state one
  std::optional<std::size_t> without_ordinal_;  ///< the first without one, in ParsedFooter::row_groups
};

}  // namespace parqproof
