#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/model/model.hpp"
#include "codec/model/page_image.hpp"
#include "codec/schema/schema.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/rewrite/scrub/scrub_text.hpp"
#include "conformance/rewrite/scrub/scrub_values.hpp"
#include "conformance/rewrite/scrub/scrub_variant.hpp"

namespace parqproof {

/// Bytes that no structure has, or that cannot be read.
enum class OpaqueBytes : std::uint8_t {
  filled,      ///< all but zeros are replaced
  blank_text,  ///< only text is
};

/// A file whose values and names are replaced, in two passes over its model.
class ScrubFile {
 public:
  /// Returns null if the file has no footer that can be read. The caller keeps the source alive.
  [[nodiscard]] static std::unique_ptr<ScrubFile> open(const Source& source, const Limits& limits);

  /// Collects the values of each column. Returns false if they need too much memory.
  [[nodiscard]] bool collect();
  /// Replaces values and names. Returns false if a page cannot be compressed again.
  [[nodiscard]] bool replace(OpaqueBytes bytes);

  [[nodiscard]] model::Model& model() noexcept { return model_; }
  /// The annotation of a column whose values have names or numbers inside, which are not replaced; empty if
  /// there is none.
  [[nodiscard]] std::string_view kind_with_parts() const noexcept;
  [[nodiscard]] std::size_t names() const noexcept { return names_.size() + variants_.names(); }
  [[nodiscard]] std::uint64_t values() const noexcept { return values_; }
  [[nodiscard]] std::uint64_t opaque_pages() const noexcept { return opaque_pages_; }

 private:
  /// Values are collected in the first pass and replaced in the second.
  enum class Pass : std::uint8_t { collect, replace };
  /// The Bloom filter of a chunk, as it was and as it becomes.
  struct Filter {
    model::SegmentId segment = model::kNoSegment;
    std::vector<std::uint8_t> stored;
    std::vector<std::uint8_t> fresh;
  };

  ScrubFile(model::Model model, const Limits& limits) : model_(std::move(model)), limits_(limits) {}
  void read_schema();
  void link_sizes();
  [[nodiscard]] const Node* leaf_of(model::ChunkId chunk) const;
  [[nodiscard]] model::Tree& footer() { return *model_.tree(model_.footer()); }
  [[nodiscard]] std::optional<model::NodeId> chunk_in_footer(model::ChunkId chunk);
  [[nodiscard]] bool is_encrypted(model::ChunkId chunk);
  [[nodiscard]] std::optional<model::NodeId> metadata_in_footer(model::ChunkId chunk);
  [[nodiscard]] CompressionCodec codec_of(model::ChunkId chunk);

  void trees(Pass pass);
  void tree(Pass pass, model::SegmentId segment);
  void binary(Pass pass, model::Tree& tree, model::NodeId node, model::ChunkId chunk);
  void number(Pass pass, model::Tree& tree, model::NodeId node);
  [[nodiscard]] bool pages(Pass pass);
  [[nodiscard]] bool page(Pass pass, model::SegmentId id);
  void index_page(Pass pass, model::SegmentId id, const Node& leaf);
  void opaque_page(Pass pass, model::SegmentId id);
  [[nodiscard]] bool store(model::SegmentId id, const Node& leaf, model::PageImage& image,
                           std::uint64_t size_before);
  void keep_checksum(model::SegmentId id, const std::function<void()>& change);
  void visit(Pass pass, std::size_t leaf, Filter* filter, std::span<std::uint8_t> value);
  void collect(std::size_t leaf, std::span<const std::uint8_t> value);
  void replace(std::size_t leaf, std::span<std::uint8_t> value) const;
  void collect_names(const variant::Part& part);
  [[nodiscard]] std::string fresh_name(std::string_view name);
  void opaque(OpaqueBytes how);
  void open_filters();
  void store_filters();
  void update_totals();

  model::Model model_;
  Limits limits_;
  std::vector<std::uint8_t> footer_bytes_;  // schema_ refers to them
  FileMetaData stated_;
  Schema schema_;
  std::vector<ValueMap> maps_;        // by leaf
  std::vector<variant::Role> roles_;  // likewise
  VariantMap variants_;
  std::map<model::ChunkId, Filter> filters_;
  std::vector<std::pair<model::SegmentId, std::uint64_t>> header_bytes_;  // of the pages before
  std::map<model::ChunkId, std::int64_t> added_bytes_;                    // to the images and headers
  NameMap names_;
  std::uint64_t values_ = 0;
  std::uint64_t opaque_pages_ = 0;
};

}  // namespace parqproof
