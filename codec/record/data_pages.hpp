#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/page/page_content.hpp"
#include "codec/page/page_fault.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/record/dictionary.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// Pages of a damaged chunk that can be read, one behind the other; the extent of the chunk is theirs.
struct ChunkPart {
  std::uint64_t dictionary = 0;      ///< where the dictionary page of the chunk begins
  std::uint64_t dictionary_end = 0;  ///< and ends; 0: there is none, or it is damaged
  std::int32_t ordinal = 0;          ///< of the first of the pages in the chunk
  bool continues = false;            ///< they begin inside of a row, of which the rest is passed over
};

/// A column chunk whose entries are to be read.
struct StoredChunk {
  std::uint32_t row_group = 0;
  const Source* source = nullptr;  ///< of its pages; it outlives the reading
  ChunkExtent extent;
  CompressionCodec codec{};
  std::optional<ChunkPart> part = {};  ///< nothing: all of its pages are to be read
};

/// The pages of a chunk, as they were found in spite of its metadata.
struct FoundPages {
  std::optional<ChunkExtent> extent;  ///< nothing where not all their headers can be read
  bool whole = false;                 ///< none of them is lost
};

/// What the cursors over the columns of one file share. It outlives them.
struct ReadingContext {
  const Schema& schema;
  const Limits& limits;
  /// Asked once about a chunk that is in doubt: it cannot be read as its metadata says, or bytes are left
  /// over. Nothing where it was not looked for them.
  std::function<std::optional<FoundPages>(const StoredChunk& chunk, std::size_t leaf)> find_pages = {};
  Decompressor decompressor = {};
  bool ignores_checksums = false;     ///< pages are read whatever their checksum says
  std::uint64_t wrong_checksums = 0;  ///< pages that were read although it is wrong
  std::uint64_t held = 0;             ///< bytes of pages and dictionaries that all cursors hold together
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
  /// Goes to the next data page that has entries; false behind the last page of the chunk, even if it claims
  /// other entries. Faults: of the header, the checksum, the codec, the sections, the dictionary;
  /// limit/page-size and limit/memory; where entries are missing, page/unknown-type if they may be in such a
  /// page, column-chunk/num-values if a page is lost.
  [[nodiscard]] PageResult<bool> next();
  /// Indices stand in the current page, which is the first data page, and no dictionary page was met: true
  /// where the chunk begins elsewhere, and next() goes to the first data page again.
  [[nodiscard]] bool begins_elsewhere() { return entries_ == page().num_values() && relocate(0); }
  /// Bytes are left over in the current page: whether a page of the chunk is lost, which was read by a field
  /// that lies.
  [[nodiscard]] bool is_misread();
  [[nodiscard]] bool counts_amiss();

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

 private:
  void begin();
  [[nodiscard]] PageResult<void> open_dictionary();
  [[nodiscard]] PageResult<bool> next_in_extent();
  [[nodiscard]] const std::optional<FoundPages>& find();
  [[nodiscard]] bool relocate(std::int64_t delivered);
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
  std::int64_t entries_ = 0;       // of the pages so far
  bool lacks_dictionary_ = false;  // of the part, which is read before its pages
  bool asked_ = false;             // find_pages() was, which gave found_
  std::optional<FoundPages> found_;
  std::optional<std::int32_t> unknown_type_;
  std::uint64_t held_page_ = 0;
  std::uint64_t held_dictionary_ = 0;
};

}  // namespace parqproof
