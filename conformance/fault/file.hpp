#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/model/model.hpp"
#include "codec/model/page_image.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof::fault {

/// Structures that can have a fault.
enum class Where : std::uint8_t {
  file,
  footer,           ///< the FileMetaData
  root,             ///< the SchemaElement of the root
  group,            ///< a SchemaElement of another group
  leaf,             ///< a SchemaElement of a leaf
  row_group,        ///< a RowGroup
  chunk,            ///< a ColumnChunk of the footer
  metadata,         ///< a ColumnMetaData, with the copies after the chunk
  page,             ///< a page with PLAIN values, of which one changes
  dictionary_page,  ///< a dictionary page, by its PageHeader
  data_page,        ///< likewise a data page of either version
  index_page,       ///< likewise an index page of the edition of 2013
  column_index,
  offset_index,
  bloom_filter,  ///< a BloomFilterHeader
};

/// A place in a file at which a fault can be put.
struct Site {
  model::SegmentId segment = model::kNoSegment;
  model::NodeId node = model::kRoot;       ///< in the struct of the segment
  model::ChunkId chunk = model::kNoChunk;  ///< of everything that belongs to a column chunk
  std::uint32_t index = 0;                 ///< of a page: in pages(); of a leaf or row group: its ordinal
};

/// A column chunk of the footer.
struct Chunk {
  model::NodeId node = model::kNoNode;
  std::optional<model::NodeId> metadata;
  std::uint32_t row_group = 0;
  std::uint32_t leaf = 0;
  ColumnMetaData stated;             ///< its views refer to bytes of the File
  std::vector<std::uint32_t> pages;  ///< indexes in File::pages()
  bool has_column_index = false;
  bool has_offset_index = false;
};

/// A page of a column chunk.
struct PageInfo {
  model::SegmentId segment = model::kNoSegment;
  model::ChunkId chunk = model::kNoChunk;
  PageType type{};
  Encoding encoding{};
  std::int64_t num_values = 0;
  std::int64_t num_nulls = -1;  ///< of v2 pages
  bool is_compressed = true;    ///< of v2 pages

  [[nodiscard]] bool is_v1() const noexcept { return type == PageType::DATA_PAGE; }
  [[nodiscard]] bool is_v2() const noexcept { return type == PageType::DATA_PAGE_V2; }
  [[nodiscard]] bool is_data() const noexcept { return is_v1() || is_v2(); }
  [[nodiscard]] bool is_dictionary() const noexcept { return type == PageType::DICTIONARY_PAGE; }
  [[nodiscard]] bool is_index() const noexcept { return type == PageType::INDEX_PAGE; }
};

/// A file that is changed: its model, and what the footer and the page headers state.
class File {
 public:
  /// Returns null if the file cannot be parsed, is encrypted, or has no schema that is a tree; `why` is the
  /// reason. The caller keeps the source alive.
  [[nodiscard]] static std::unique_ptr<File> open(const Source& source, std::string& why);

  [[nodiscard]] model::Model& model() noexcept { return model_; }
  [[nodiscard]] model::Tree& footer() { return *model_.tree(model_.footer()); }
  [[nodiscard]] const FileMetaData& stated() const noexcept { return stated_; }
  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
  [[nodiscard]] const std::vector<Chunk>& chunks() const noexcept { return chunks_; }
  [[nodiscard]] const std::vector<PageInfo>& pages() const noexcept { return pages_; }
  [[nodiscard]] const Node& leaf_of(const Site& site) const { return schema_.leaf(chunks_[site.chunk].leaf); }
  [[nodiscard]] const Chunk& chunk_of(const Site& site) const { return chunks_[site.chunk]; }
  [[nodiscard]] const PageInfo& page_of(const Site& site) const { return pages_[site.index]; }
  [[nodiscard]] model::Tree& tree_of(const Site& site) { return *model_.tree(site.segment); }

  /// All sites of a kind in the order of the file.
  [[nodiscard]] std::vector<Site> sites(Where where);

  /// The ColumnMetaData of a chunk in the footer, and its copies: each with its tree.
  [[nodiscard]] std::vector<std::pair<model::Tree*, model::NodeId>> metadata_of(model::ChunkId chunk);

  [[nodiscard]] std::optional<model::PageImage> image_of(const Site& page);
  /// Replaces the body of a page; the totals of its chunk and row group follow.
  [[nodiscard]] bool set_image(const Site& page, model::PageImage& image);

  /// Renames a node of the schema, also in the paths of the chunks below it. Returns false if a chunk has no
  /// such path.
  [[nodiscard]] bool rename(std::uint32_t node, std::string_view name);

  /// Returns true if a row group has sorting columns.
  [[nodiscard]] bool is_sorted() const noexcept { return is_sorted_; }

  /// The value of a key of the file in key_value_metadata; nullopt if there is none.
  [[nodiscard]] std::optional<model::NodeId> value_of_key(std::string_view key);

  /// Counts a page that was added (1) or removed (-1) in the totals and the encoding_stats of its chunk.
  void count_page(const Site& page, std::int64_t count);

  /// Set by a change that failed before it changed anything: the file can have another change.
  bool unchanged = false;

  /// Ends the changes: page headers that have another size change the totals of their chunks.
  void finish();
  /// After finish(): bytes that replace those of the model; empty if there are none.
  std::vector<std::uint8_t> bytes;

 private:
  explicit File(model::Model model) : model_(std::move(model)) {}
  [[nodiscard]] bool read_footer();
  void read_pages();
  void add_to_totals(model::ChunkId chunk, std::int64_t more);
  void add_element_sites(Where where, std::vector<Site>& sites);

  model::Model model_;
  std::vector<std::uint8_t> footer_bytes_;  // stated_, schema_ and chunks_ refer to them
  FileMetaData stated_;
  Schema schema_;
  bool is_sorted_ = false;
  std::vector<Chunk> chunks_;  // by ChunkId
  std::vector<PageInfo> pages_;
  std::vector<std::uint64_t> headers_;  // bytes of the header of each page
};

}  // namespace parqproof::fault
