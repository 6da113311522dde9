#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/thrift/reader.hpp"
#include "conformance/footer/column_chunk_rules.hpp"
#include "conformance/footer/file_paths.hpp"
#include "conformance/footer/row_group_rules.hpp"
#include "conformance/schema/schema_rules.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Reads the long lists of a footer, element by element, each through one reused struct: the schema, the row
/// groups and their column chunks. It keeps of an element what ParsedFooter hold, and gives the struct to the
/// rules of such elements before the next one is read. Columns need the schema; row groups that stand before
/// it in the footer are read again behind it.
class FooterLists final : public thrift::ElementHandler {
 public:
  explicit FooterLists(FileCheck& check) noexcept
      : check_(check),
        parsed_(FooterPhase::of(check)),
        schema_rules_(check),
        file_paths_(check),
        chunk_rules_(check),
        group_rules_(check) {}

  [[nodiscard]] bool takes(const thrift::Field& list) const override;
  void begin(thrift::Reader& reader, const thrift::Field& list, std::uint32_t count) override;
  [[nodiscard]] bool element(thrift::Reader& reader, const thrift::Field& list, std::uint32_t index) override;

  /// Ends the schema and judges its tree, once. False where the list was not read to its end.
  bool finish_schema();
  /// Reads the row groups if they stand before the schema; then judges what takes all of them.
  void finish_row_groups();

 private:
  [[nodiscard]] bool schema_element(thrift::Reader& reader);
  [[nodiscard]] bool row_group(thrift::Reader& reader, std::uint32_t index);
  [[nodiscard]] bool column(thrift::Reader& reader, std::uint32_t index);
  void make_room(std::size_t groups, std::size_t bytes);
  [[nodiscard]] bool out_of_step(const thrift::Reader& reader, bool own_path) const;
  void judge_sizes(ChunkClaim& claim);
  void judge_rows_by_levels(const RowGroupClaim& claim);
  [[nodiscard]] bool one_chunk_per_leaf(const RowGroupClaim& claim) const;

  /// The rows of the chunks of a row group as their repetition_level_histogram has them; num_rows of the
  /// row group, which they are held against, stands behind the chunks.
  struct RowsByLevels {
    std::optional<std::int64_t> rows;  ///< of the first chunk that tells
    bool differ = false;               ///< another chunk tells of other rows
  };

  FileCheck& check_;
  ParsedFooter& parsed_;
  SchemaRules schema_rules_;
  FilePaths file_paths_;
  ColumnChunkRules chunk_rules_;
  RowGroupFields group_rules_;
  SchemaElement element_;
  RowGroup group_;
  ColumnChunk chunk_;
  RowsByLevels rows_by_levels_;
  std::uint32_t row_group_ = 0;   ///< the one that columns are read for
  std::uint64_t signs_ = 0;       ///< of the reader, where that row group began
  bool schema_complete_ = true;   ///< its elements could be read so far
  bool schema_finished_ = false;  ///< finish_schema() was called
  bool may_postpone_ = true;      ///< a schema may follow the row groups
  bool postponed_ = false;        ///< the row groups were passed over
};

}  // namespace parqproof
