#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/model/model.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/rewrite/shrink/page_rows.hpp"

namespace parqproof {

/// A file from which parts are removed: its model, with the counts that depend on them.
class ShrinkFile {
 public:
  /// Returns null if the file has no footer that can be read. The caller keeps the source and the limits
  /// alive.
  [[nodiscard]] static std::unique_ptr<ShrinkFile> open(const Source& source, const Limits& limits);

  [[nodiscard]] model::Model& model() noexcept { return model_; }

  // Parts of each kind, and their removal: `count` parts from `from` on. A removal returns false if it is not
  // possible.

  [[nodiscard]] std::size_t row_groups();
  bool remove_row_groups(std::size_t from, std::size_t count);
  /// Children of the root with all their leaves.
  [[nodiscard]] std::size_t fields();
  bool remove_fields(std::size_t from, std::size_t count);
  [[nodiscard]] std::size_t leaves();
  bool remove_leaves(std::size_t from, std::size_t count);
  /// A data page of each column chunk of a row group.
  [[nodiscard]] std::size_t pages();
  bool remove_pages(std::size_t from, std::size_t count);
  /// Rows of all row groups, which are taken out of their pages.
  [[nodiscard]] std::size_t rows();
  bool remove_rows(std::size_t from, std::size_t count);
  /// Dictionaries with entries that no value refers to, and the removal of these entries.
  [[nodiscard]] std::size_t dictionaries();
  bool remove_unused_entries(std::size_t from, std::size_t count);
  /// Indexes, Bloom filters, copies of metadata, bytes of no structure.
  [[nodiscard]] std::size_t structures();
  bool remove_structures(std::size_t from, std::size_t count);
  /// Fields of one path in the footer, in all page headers or in all indexes.
  [[nodiscard]] std::size_t field_paths();
  bool remove_field_paths(std::size_t from, std::size_t count);
  /// Single fields and elements of the footer.
  [[nodiscard]] std::size_t nodes();
  bool remove_nodes(std::size_t from, std::size_t count);

 private:
  ShrinkFile(model::Model model, const Limits& limits) : model_(std::move(model)), limits_(limits) {}
  void read_schema();
  /// The segments of a kind and chunk in the order of the file.
  [[nodiscard]] std::vector<model::SegmentId> segments_of(model::Segment::Kind kind,
                                                          model::ChunkId chunk) const;

  /// A field of a struct, or an element of a list that is not tied to a structure.
  struct FieldPlace {
    model::SegmentId segment = model::kNoSegment;
    model::NodeId node = model::kRoot;
    std::string path;  ///< without ordinals
  };
  /// A row group and the ordinal of a data page in each of its chunks.
  struct PageRow {
    std::uint32_t row_group = 0;
    std::size_t page = 0;
  };
  /// What is needed to decode the pages of a chunk.
  struct LeafForm {
    const Node& leaf;
    CompressionCodec codec;
  };

  /// A dictionary with entries that no page refers to, as it is without them.
  struct UnusedEntries {
    model::ChunkId chunk = model::kNoChunk;
    model::SegmentId dictionary = model::kNoSegment;
    std::uint32_t left = 0;  ///< entries
    std::vector<std::uint8_t> values = {};
    std::vector<std::pair<model::SegmentId, std::vector<std::uint32_t>>> pages = {};  ///< with their indices
  };

  [[nodiscard]] model::Tree& footer() { return *model_.tree(model_.footer()); }
  [[nodiscard]] std::vector<model::NodeId> elements(std::string_view path, model::NodeId from = 0);
  [[nodiscard]] std::vector<model::SegmentId> data_pages(model::ChunkId chunk);
  [[nodiscard]] std::vector<model::SegmentId> removable();
  [[nodiscard]] std::vector<PageRow> page_rows();
  [[nodiscard]] std::vector<FieldPlace> field_places(bool only_footer);
  [[nodiscard]] std::vector<model::ChunkId> chunks_of(std::uint32_t row_group);
  void remove_chunk(model::ChunkId chunk);
  [[nodiscard]] std::optional<LeafForm> form_of(model::ChunkId chunk);
  [[nodiscard]] std::optional<PageSums> sums_of(model::ChunkId chunk, model::SegmentId page);
  /// Size of a header and of the uncompressed page.
  [[nodiscard]] static std::int64_t uncompressed_bytes(const model::Tree& header);
  /// Subtracts from the counts of a chunk, and the bytes from those of its row group.
  void subtract(model::ChunkId chunk, const PageSums& sums, std::int64_t bytes);
  void subtract_rows(std::uint32_t row_group, std::int64_t rows);
  /// Removes a data page of a chunk. Returns the number of its rows; nullopt if its header cannot be read.
  std::optional<std::int64_t> remove_page(model::ChunkId chunk, std::size_t ordinal);
  bool remove_page_row(const PageRow& row);
  /// Removes some of the rows of a data page, counted from its first.
  bool remove_page_rows(model::ChunkId chunk, std::size_t ordinal, std::uint64_t first, std::uint64_t end);
  [[nodiscard]] std::vector<std::size_t> rows_of_groups();
  bool remove_group_rows(std::uint32_t row_group, std::uint64_t from, std::uint64_t to);
  /// nullopt if all entries are used, or if the dictionary cannot be read.
  [[nodiscard]] std::optional<UnusedEntries> unused_entries(model::ChunkId chunk);
  [[nodiscard]] std::vector<UnusedEntries> all_unused_entries();
  void forget_page(model::ChunkId chunk, std::size_t page);
  [[nodiscard]] std::vector<std::pair<model::Tree*, model::NodeId>> metadata_of(model::ChunkId chunk);

  model::Model model_;
  const Limits& limits_;
  std::vector<std::uint8_t> footer_bytes_;  // schema_ refers to them
  FileMetaData stated_;
  Schema schema_;
  std::vector<std::vector<model::SegmentId>> by_chunk_;  // in the order of the file
};

/// A kind of parts.
struct PartKind {
  std::size_t (ShrinkFile::*count)();
  bool (ShrinkFile::*remove)(std::size_t from, std::size_t count);
  /// All parts are divided into at most so many pieces, and again once the file is smaller.
  std::size_t most_pieces = SIZE_MAX;
};

/// All kinds in the order in which they are removed.
inline constexpr PartKind kPartKinds[] = {
    {&ShrinkFile::row_groups, &ShrinkFile::remove_row_groups},
    {&ShrinkFile::fields, &ShrinkFile::remove_fields},
    {&ShrinkFile::leaves, &ShrinkFile::remove_leaves},
    {&ShrinkFile::pages, &ShrinkFile::remove_pages},
    {&ShrinkFile::structures, &ShrinkFile::remove_structures},
    {&ShrinkFile::field_paths, &ShrinkFile::remove_field_paths},
    {&ShrinkFile::rows, &ShrinkFile::remove_rows, 64},
    {&ShrinkFile::dictionaries, &ShrinkFile::remove_unused_entries},
    {&ShrinkFile::nodes, &ShrinkFile::remove_nodes},
};

}  // namespace parqproof
