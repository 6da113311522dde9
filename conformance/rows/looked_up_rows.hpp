#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

namespace parqproof {

/// Writes the rows that have a value, found through the index pages of the 2013 format: the index pages of
/// the column lead to data pages and rows, and those of each other column to the data pages of these rows. A
/// column without an index by rows is read from its first page on.
class LookedUpRowGroups {
 public:
  LookedUpRowGroups(const RowReading& parts, LookupKey key);

  /// Leaves whose chunks write() needs: those of the fields, and that of the key.
  [[nodiscard]] const std::vector<std::size_t>& leaves() const noexcept { return leaves_; }
  /// Writes the rows of a row group; `columns` are the chunks of leaves(). `empty` is the row of fields that
  /// have no columns.
  [[nodiscard]] RowStep write(const RowGroup& group, std::uint32_t index,
                              const std::vector<FooterChunk>& columns, const std::string& empty);
  /// Number of row groups that were not looked up, because the column has no index by values.
  [[nodiscard]] std::uint64_t without_index() const noexcept { return without_index_; }
  [[nodiscard]] const LookupKey& key() const noexcept { return key_; }

 private:
  /// Chunk and index of a column, and the pages that were read.
  struct Column {
    std::size_t leaf = 0;
    const RowChunk* chunk = nullptr;
    bool has_index = false;
    ChunkPart part;  // location of the dictionary
    IndexTreeChunk tree;
    std::unique_ptr<IndexTreeLookup> lookup;
    std::map<std::uint64_t, IndexTreeStep> steps;  // steps of all lookups, by offset
    std::uint64_t work = 0;
    std::optional<RowPage> page;  // page in which the last row was found
  };

  [[nodiscard]] Column column_of(std::size_t index, const std::vector<FooterChunk>& columns) const;
  void open(Column& column, std::uint64_t base);
  void add_steps(Column& column) const;
  [[nodiscard]] bool fail(Column& column, const Error& error);
  void place_failure(const Column& column);
  [[nodiscard]] bool retry_with_file_offsets(Column& column, const std::function<bool()>& look_up);
  [[nodiscard]] bool find_rows(Column& column, std::vector<RowSpan>& rows);
  [[nodiscard]] bool detect_index_by_rows(Column& column, bool& by_rows);
  [[nodiscard]] bool find_page(Column& column, std::int64_t row);
  [[nodiscard]] bool find_pages(Column& column, const std::vector<RowSpan>& rows, ChunkDamage& found);
  void add_key_pages(const Column& column, const std::vector<RowSpan>& rows, ChunkDamage& found) const;
  void add_part(const Column& column, std::uint64_t offset, std::int32_t ordinal, std::int64_t first,
                std::int64_t end, ChunkDamage& found) const;
  [[nodiscard]] std::vector<RowSpan> requested_rows(const std::vector<RowSpan>& rows) const;
  [[nodiscard]] RowStep write_rows(const std::vector<RowSpan>& rows, std::string text);
  [[nodiscard]] bool go_to(std::uint64_t row);
  void report(const Column& column, const std::string& text) const;
  void report_steps(const Column& column) const;

  RowReading parts_;
  LookupKey key_;
  std::vector<std::size_t> leaves_;
  std::uint64_t without_index_ = 0;
  std::uint32_t row_group_ = 0;
  std::int64_t rows_ = 0;                  // rows of the row group
  std::optional<std::int32_t> sorted_by_;  // first sorting column of the row group
  RowGroupDamage found_;                   // pages of the rows, for the leaves of the fields
  std::vector<RowChunk> shown_;            // chunks of the leaves of the fields
};

}  // namespace parqproof
