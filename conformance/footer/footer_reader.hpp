#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/format/footer_visitor.hpp"
#include "conformance/footer/row_group_rules.hpp"
#include "conformance/schema/schema_rules.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Stores the elements of a footer in ParsedFooter, and passes each to its rules before the next one is
/// read. Columns need the schema; row groups that precede it in the footer are read again after it.
class FooterLists final : public FooterVisitor {
 public:
  explicit FooterLists(FileCheck& check) noexcept
      : FooterVisitor({}, Placing::element),
        check_(check),
        parsed_(FooterPhase::of(check)),
        schema_rules_(check),
        file_paths_(check),
        chunk_rules_(check),
        group_rules_(check) {
    parsed_.schema.judge_by(check.options.edition);
  }

  /// Ends the schema and judges its tree, once. Returns false if the list was not read to its end.
  bool finish_schema();
  /// Reads the row groups if they precede the schema; then applies the rules that need all of them.
  void finish_row_groups();

 private:
  void begin_schema(thrift::Reader& reader, std::uint32_t count) override;
  [[nodiscard]] bool begin_row_groups(thrift::Reader& reader, std::uint32_t count) override;
  [[nodiscard]] bool begin_row_group(thrift::Reader& reader, std::uint32_t index) override;
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element& at) override;
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override;
  [[nodiscard]] bool column(ColumnChunk& chunk, const Element& at) override;
  void make_room(std::size_t groups, std::size_t bytes);
  void judge_sizes(const ColumnMetaData& meta, ChunkClaim& claim);
  void judge_rows_by_levels(const RowGroupClaim& claim);
  [[nodiscard]] bool one_chunk_per_leaf(const RowGroup& group, const RowGroupClaim& claim) const;

  /// Rows of the chunks of a row group by their repetition_level_histogram; they are compared with num_rows
  /// of the row group, which follows the chunks in the footer.
  struct RowsByLevels {
    std::optional<std::int64_t> rows;  ///< of the first chunk with a histogram
    bool differ = false;               ///< another chunk has a different number of rows
  };

  FileCheck& check_;
  ParsedFooter& parsed_;
  SchemaRules schema_rules_;
  FilePaths file_paths_;
  ColumnChunkRules chunk_rules_;
  RowGroupFields group_rules_;
  RowsByLevels rows_by_levels_;
  std::size_t first_chunk_ = 0;   ///< of the row group that is read, in ParsedFooter::chunks
  std::size_t first_region_ = 0;  ///< likewise, in Context::regions
  std::uint64_t signs_ = 0;       ///< of the reader, at the start of that row group
  bool schema_complete_ = true;   ///< all elements so far could be read
  bool schema_finished_ = false;  ///< finish_schema() was called
  bool may_postpone_ = true;      ///< a schema may follow the row groups
  bool postponed_ = false;        ///< the row groups were skipped
};

}  // namespace parqproof
