#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/rows/assembler.hpp"
#include "conformance/rows/contradicted_rows.hpp"
#include "conformance/rows/damage.hpp"

namespace parqproof {

/// Writes the readable rows of damaged row groups. check() determines which pages can be read and which rows
/// they have. If a column still fails, it has no values from that row on.
class DamagedRowGroups {
 public:
  DamagedRowGroups(const RowReading& parts, const CheckOptions& options, DamageReading::FindMove find_move);

  /// Writes the rows of a row group; `columns` are the chunks of the leaves of the fields.
  [[nodiscard]] RowStep write(std::uint32_t row_group, const std::vector<FooterChunk>& columns);
  /// Leaves out all rows of a row group, for the reason in the failure. `rows` is their number, if known.
  void leave_out(const Place& place, std::optional<std::uint64_t> rows);

  [[nodiscard]] LeftOut& left_out() noexcept { return left_out_; }

 private:
  /// Empty if a column cannot be read further.
  [[nodiscard]] std::optional<RowStep> rows();
  [[nodiscard]] bool reopen();
  [[nodiscard]] bool jump();
  void account(Assembler::Step step);
  [[nodiscard]] bool report_gaps(std::uint64_t first, std::uint64_t end);
  [[nodiscard]] bool has_gap(std::size_t leaf) const;
  [[nodiscard]] std::string column_of(std::int32_t leaf) const;
  /// Ordinal of the next row in the row group.
  [[nodiscard]] std::uint64_t at() const noexcept { return parts_.output.row() - first_; }

  RowReading parts_;
  DamageReading reading_;
  LeftOut left_out_;
  RowGroupDamage damage_;
  std::uint32_t row_group_ = 0;
  std::uint64_t first_ = 0;                   // first row of the row group in the file
  std::vector<std::uint64_t> reported_ends_;  // by column: end of the last gap that was reported
  ContradictedRows contradicted_{parts_.footer.schema(), parts_.fields.leaves, left_out_};
  std::string text_;
};

}  // namespace parqproof
