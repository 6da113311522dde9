#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/file/index_tree_lookup.hpp"
#include "codec/format/row_group.hpp"
#include "conformance/rows/assembler.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/rows/lookup_key.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/row_chunks.hpp"
#include "conformance/rows/row_footer.hpp"
#include "conformance/rows/row_output.hpp"

namespace parqproof {

/// Writes the rows of row groups that hold a value, as the edition of 2013 has a reader find them: by the
/// index pages of the column to data pages and rows, and from there by the index pages of each other column
/// to the data pages of these rows. A column without an index of rows is read from its first page on.
class LookedUpRowGroups {
 public:
  /// What the rows are read with; all outlive this object.
  struct Parts {
    const Source& source;
    RowOutput& output;
    RowFooter& footer;
    const Fields& fields;
    RowChunks& chunks;
    Assembler& assembler;
    ReadingFailure& failure;
  };
  LookedUpRowGroups(const Parts& parts, LookupKey key);

  /// The leaves whose chunks write() needs: those of the fields, and that of the key.
  [[nodiscard]] const std::vector<std::size_t>& leaves() const noexcept { return leaves_; }
  /// Writes the rows of a row group; `columns` are the chunks of leaves(). `empty`: the row of fields that
  /// have no columns.
  [[nodiscard]] RowStep write(const RowGroup& group, std::uint32_t index,
                              const std::vector<FooterChunk>& columns, const std::string& empty);
  /// Row groups whose column has no index by values; their rows were not looked up.
  [[nodiscard]] std::uint64_t without_index() const noexcept { return without_index_; }
  [[nodiscard]] const LookupKey& key() const noexcept { return key_; }

 private:
  /// The chunk of a column, its index, and which pages of it were read.
  struct Column {
    std::size_t leaf = 0;
    const RowChunk* chunk = nullptr;
    bool has_index = false;
    ChunkPart part;  // where the dictionary is
    IndexTreeChunk tree;
    std::unique_ptr<IndexTreeLookup> lookup;
    std::map<std::uint64_t, IndexTreeStep> steps;  // of all lookups, by offset
    std::uint64_t work = 0;
    std::optional<RowPage> page;  // that the last row was found in
  };

  [[nodiscard]] Column column_of(std::size_t index, const std::vector<FooterChunk>& columns) const;
  void open(Column& column, std::uint64_t base);
  void add_steps(Column& column) const;
  [[nodiscard]] bool fail(Column& column, const Error& error);
  void place_failure(const Column& column);
  [[nodiscard]] bool find_rows(Column& column, std::vector<RowSpan>& rows);
  [[nodiscard]] bool is_by_rows(Column& column, bool& by_rows);
  [[nodiscard]] bool find_page(Column& column, std::int64_t row);
  [[nodiscard]] bool find_pages(Column& column, const std::vector<RowSpan>& rows, ChunkDamage& found);
  void key_pages(const Column& column, const std::vector<RowSpan>& rows, ChunkDamage& found) const;
  void add_part(const Column& column, std::uint64_t offset, std::int32_t ordinal, std::int64_t first,
                std::int64_t end, ChunkDamage& found) const;
  [[nodiscard]] std::vector<RowSpan> asked_for(const std::vector<RowSpan>& rows) const;
  [[nodiscard]] RowStep write_rows(const std::vector<RowSpan>& rows, std::string text);
  [[nodiscard]] bool go_to(std::uint64_t row);
  void report(const Column& column, const std::string& text) const;
  void report_steps(const Column& column) const;

  Parts parts_;
  LookupKey key_;
  std::vector<std::size_t> leaves_;
  std::uint64_t without_index_ = 0;
  std::uint32_t row_group_ = 0;
  std::int64_t rows_ = 0;                  // of the row group
  std::optional<std::int32_t> sorted_by_;  // its first sorting column
  RowGroupDamage found_;                   // of the leaves of the fields, the pages of the rows
  std::vector<RowChunk> shown_;            // chunks of the leaves of the fields
};

}  // namespace parqproof
