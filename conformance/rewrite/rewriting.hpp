#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "codec/write/file_writer.hpp"
#include "conformance/rewrite/column_rows.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/shred/shredded_schema.hpp"
#include "conformance/rewrite/source_chunks.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/rows/second_reading.hpp"

namespace parqproof {

/// Rewrites one file.
class Rewriting {
 public:
  /// The arguments outlive this object.
  Rewriting(const Source& source, const RewriteOptions& options, Sink& sink, ReadingFailure& failure);

  /// `rebuilt`: RewriteOutcome::rebuilt.
  RewriteOutcome run(std::vector<std::string> rebuilt);

 private:
  /// A footer that was made for the file has the places of moved bytes.
  [[nodiscard]] const Moved* find_move();
  RewriteOutcome write();
  /// Begins the file that is written. Returns false if an option does not fit the source, or a value cannot
  /// be read.
  [[nodiscard]] bool begin();
  /// `elements`: of the columns of the source that are written.
  [[nodiscard]] bool plan_shredding(const thrift::List& elements);
  [[nodiscard]] std::optional<ShreddedType> sample(const variant::Group& group, std::size_t first);
  /// All pages are judged, and those of the wanted leaves written.
  void expect_work(Progress& progress) const;

  bool refuse(std::string why);
  bool stop(std::string why);
  /// Columns that disagree are a fault of the source.
  bool stop_at_end(std::string why, std::size_t row_group);
  [[nodiscard]] bool cancelled();

  /// The sorting columns of an intact row group if its rows are sorted so, counted in the columns that are
  /// written. A column that is left out, or written in other columns, ends them.
  [[nodiscard]] std::vector<SortColumn> sorting_of(std::size_t group) const;
  /// Returns false, for the reason that ended the rows of a column.
  bool end(const ColumnRows& rows);
  /// Returns false if a row group is not intact.
  bool is_intact(std::size_t row_group);

  /// Writes the row groups of the source.
  bool by_row_groups();
  /// Each returns the number of rows; nothing if the file ends.
  [[nodiscard]] std::optional<std::uint64_t> copy_column(const SourceRowGroup& group, std::size_t index,
                                                         const CopiedForm& form);
  [[nodiscard]] std::optional<std::uint64_t> shred(const SourceRowGroup& group,
                                                   const ShreddedSchema::Piece& piece);

  /// One column of the source, across row groups.
  struct Reading {
    std::unique_ptr<ColumnRows> rows;
    std::size_t next = 0;  // row group

    [[nodiscard]] bool at_end() const { return rows == nullptr || rows->at_end(); }
  };
  /// Goes to the next row of a column; at_end() if there is none. Returns false if it cannot be read.
  bool advance(Reading& column, std::size_t index);
  /// Writes row groups of the number of rows that was asked for, across those of the source. The columns have
  /// the rows: num_rows may be wrong.
  bool by_rows();

  /// Where the rows of a column end too early.
  struct Failed {
    std::uint64_t row = 0;
    std::int32_t page = -1;
    std::string why;                                                        ///< the writer's
    std::vector<std::pair<std::uint32_t, LevelFingerprint::Value>> prints;  ///< of all rows, by shared node
  };
  bool salvage(std::uint32_t ordinal, const SourceRowGroup& group);
  [[nodiscard]] std::vector<RowPart> common_rows(const RowGroupDamage& damage, std::uint64_t count) const;
  bool take_common(std::size_t index, const SourceRowGroup& group, const std::vector<RowPart>& parts,
                   const std::vector<RowPart>& common, ChunkWriter* to, Failed& failed);
  void leave_out(std::uint32_t ordinal, std::size_t leaf, RowGap gap);
  void name_contradicted(std::uint32_t ordinal, const RowGroupDamage& damage,
                         const std::vector<RowPart>& common);

  std::uint64_t source_size_;
  const RewriteOptions& options_;
  Sink& sink_;
  ReadingFailure& failure_;
  SecondReading second_;
  RowFooter footer_;
  ReadingContext context_;
  RowChunks row_chunks_;
  DamageReading damage_;
  std::vector<std::size_t> leaves_;
  std::optional<SourceChunks> chunks_;
  ShreddedSchema shredded_;               // the schema that is written
  std::vector<CopiedForm> copied_forms_;  // of its columns
  std::optional<FileWriter> writer_;
  std::uint64_t row_ = 0;   // of the source: the first one of the row group that is salvaged
  bool is_judged_ = false;  // the failure is the cause that a check has found
  RewriteOutcome out_;
};

}  // namespace parqproof
