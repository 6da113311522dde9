#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/format/footer_visitor.hpp"
#include "codec/record/data_pages.hpp"
#include "codec/write/file_writer.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/row_chunks.hpp"
#include "conformance/rows/row_footer.hpp"

namespace parqproof {

/// What a rewritten column chunk is to have in common with its source.
struct ChunkForm {
  CompressionCodec codec{};
  bool has_dictionary = false;
  bool has_bloom_filter = false;
  bool has_page_index = false;
  bool has_page_statistics = false;
  bool has_checksums = false;
  Encoding encoding = Encoding::PLAIN;  ///< of values that are not indices
  unsigned page_version = 1;
  bool known = false;  ///< the chunk has a page
};

/// A row group of the source.
struct SourceRowGroup {
  struct Chunk {
    StoredChunk stored;
    View metadata;  ///< bytes of the footer from the ColumnChunk on
    bool has_offset_index = false;
  };
  std::vector<Chunk> chunks;        ///< of the wanted leaves
  std::vector<SortColumn> sorting;  ///< as it states
  std::optional<std::uint64_t> rows;
};

/// Finds the column chunks of all row groups, and the form of the first one of each column.
class SourceChunks final : public FooterVisitor {
 public:
  /// All arguments outlive this object. `lose`: chunks that cannot be found are left to the damage reading.
  SourceChunks(RowFooter& footer, RowChunks& chunks, const std::vector<std::size_t>& leaves,
               const Limits& limits, bool lose);

  /// Reads the row groups; false if one cannot be read, for the reason in the failure of the footer.
  [[nodiscard]] bool read(ReadingFailure& failure);

  [[nodiscard]] const std::vector<SourceRowGroup>& row_groups() const noexcept { return groups_; }
  /// By index in `leaves`.
  [[nodiscard]] const std::vector<ChunkForm>& forms() const noexcept { return forms_; }

 private:
  void begin_columns() override { wanted_ = 0; }
  [[nodiscard]] ColumnChunk* begin_column(thrift::Reader& reader, std::uint32_t index,
                                          ColumnChunk& reused) override;
  [[nodiscard]] bool column(ColumnChunk& chunk, const Element& at) override;
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override;
  void look_at(const ColumnChunk& chunk, const StoredChunk& stored, std::size_t leaf, ChunkForm& form) const;

  RowFooter& footer_;
  RowChunks& chunks_;
  const std::vector<std::size_t>& leaves_;
  const Limits& limits_;
  bool lose_;
  ReadingFailure* failure_ = nullptr;
  std::vector<FooterChunk> columns_;
  std::size_t wanted_ = 0;
  std::uint64_t signs_ = 0;
  std::vector<SourceRowGroup> groups_;
  std::vector<ChunkForm> forms_;
};

}  // namespace parqproof
