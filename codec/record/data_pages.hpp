#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/file/page_content.hpp"
#include "codec/file/page_fault.hpp"
#include "codec/file/page_walk.hpp"
#include "codec/record/dictionary.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// What the cursors over the columns of one file share. It outlives them.
struct ReadingContext {
  const Schema& schema;
  const Limits& limits;
  Decompressor decompressor = {};
  std::uint64_t held = 0;  ///< bytes of pages and dictionaries that all cursors hold together
};

/// A column chunk whose entries are to be read.
struct StoredChunk {
  std::uint32_t row_group = 0;
  const Source* source = nullptr;  ///< of its pages; it outlives the reading
  ChunkExtent extent;
  CompressionCodec codec{};
};

/// Goes along the data pages of the chunks of one leaf: opens each and cuts it into its sections, keeps the
/// dictionary, and passes over pages of other types. A fault ends the reading of the chunk; page() is the one
/// at fault then.
class DataPages {
 public:
  /// `ahead`: bytes worth reading along with a page header.
  DataPages(ReadingContext& context, std::size_t leaf, std::uint64_t ahead)
      : context_(&context), leaf_(leaf), ahead_(ahead), content_(context.decompressor, context.limits) {}
  DataPages(const DataPages&) = delete;
  DataPages& operator=(const DataPages&) = delete;
  ~DataPages() { release(); }

  /// Begins at the first page of a chunk. Before anything else.
  void open(const StoredChunk& chunk);
  /// Goes to the next data page that has entries; false where the chunk has all the entries that it claims.
  /// Faults: of the header, the checksum, the codec, the sections, the dictionary; limit/page-size and
  /// limit/memory; column-chunk/num-values or page/unknown-type where the pages end before the entries do.
  [[nodiscard]] PageResult<bool> next();

  /// Of the current page; views stay valid until the next one.
  [[nodiscard]] const DataPageParts& parts() const noexcept { return parts_; }
  [[nodiscard]] const Page& page() const noexcept { return walk_->page(); }
  [[nodiscard]] Place place() const noexcept {
    return {static_cast<std::int32_t>(chunk_.row_group), static_cast<std::int32_t>(leaf_), page().place.page};
  }
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return dictionary_; }
  [[nodiscard]] const Node& leaf() const noexcept { return context_->schema.leaf(leaf_); }
  [[nodiscard]] const Limits& limits() const noexcept { return context_->limits; }
  /// The work that the bytes of the chunk may cost.
  [[nodiscard]] Budget& budget() noexcept { return budget_; }

  /// What the strict reader finds wrong in the header of the current page, which is read anew.
  void read_header_findings(Findings& findings) const;

 private:
  [[nodiscard]] PageFault too_few_entries() const;
  [[nodiscard]] std::optional<PageFault> header_fault();
  [[nodiscard]] PageResult<View> open_body(Buffer& room);
  [[nodiscard]] PageResult<void> read_dictionary();
  [[nodiscard]] PageResult<void> read_parts();
  void release() noexcept;

  ReadingContext* context_;
  std::size_t leaf_;
  std::uint64_t ahead_;
  StoredChunk chunk_;
  std::optional<PageReader> reader_;  // of the chunk's source
  std::optional<PageWalk> walk_;
  PageContent content_;
  DataPageParts parts_;
  Buffer image_;
  Buffer dictionary_bytes_;
  Dictionary dictionary_;
  Budget budget_;
  std::int64_t entries_ = 0;  // of the pages so far
  std::optional<std::int32_t> unknown_type_;
  std::uint64_t held_page_ = 0;
  std::uint64_t held_dictionary_ = 0;
};

}  // namespace parqproof
