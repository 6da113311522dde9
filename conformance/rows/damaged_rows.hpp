#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/rows/assembler.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/rows/left_out.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/row_chunks.hpp"
#include "conformance/rows/row_footer.hpp"
#include "conformance/rows/row_output.hpp"

namespace parqproof {

/// Writes the rows of row groups without what damage has taken away: check() says of each row group which
/// pages can be read, and which rows they hold. Should a column fail all the same, it is taken to have no
/// values from that row on.
class DamagedRowGroups {
 public:
  /// What the rows are read with; all outlive this object.
  struct Parts {
    const Source& source;
    RowOutput& output;
    RowFooter& footer;
    const Fields& fields;
    RowChunks& chunks;
    Assembler& assembler;
    Budget& budget;
    ReadingFailure& failure;
  };
  DamagedRowGroups(const Parts& parts, const CheckOptions& options);

  /// Writes the rows of a row group; `columns` are the chunks of the leaves of the fields.
  [[nodiscard]] RowStep write(std::uint32_t row_group, const std::vector<FooterChunk>& columns);
  /// Leaves all rows of a row group out, for the reason that the failure gives. `rows`: as many as there are,
  /// where that is known.
  void leave_out(const Place& place, std::optional<std::uint64_t> rows);

  [[nodiscard]] LeftOut& left_out() noexcept { return left_out_; }

 private:
  /// Nothing where a column cannot be read on.
  [[nodiscard]] std::optional<RowStep> rows();
  [[nodiscard]] bool reopen();
  [[nodiscard]] bool jump();
  void account(Assembler::Step step);
  [[nodiscard]] bool report_gaps(std::uint64_t first, std::uint64_t end);
  [[nodiscard]] std::string column_of(std::int32_t leaf) const;
  /// The next row, counted from the first of the row group.
  [[nodiscard]] std::uint64_t at() const noexcept { return parts_.output.row() - first_; }

  Parts parts_;
  DamageReading reading_;
  LeftOut left_out_;
  RowGroupDamage damage_;  // of the row group
  std::uint32_t row_group_ = 0;
  std::uint64_t first_ = 0;          // its first row in the file
  std::vector<std::uint64_t> told_;  // of each column, the end of the last gap that was told
  std::string text_;
};

}  // namespace parqproof
