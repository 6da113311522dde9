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

/// Contiguous readable pages of a damaged chunk; the extent of the chunk is theirs.
struct ChunkPart {
  std::uint64_t dictionary = 0;      ///< offset of the dictionary page of the chunk
  std::uint64_t dictionary_end = 0;  ///< its end; 0: there is none, or it is damaged
  std::int32_t ordinal = 0;          ///< ordinal of the first page in the chunk
  bool continues = false;            ///< they begin inside of a row, whose rest is skipped
};

/// A column chunk whose entries are read.
struct StoredChunk {
  std::uint32_t row_group = 0;
  const Source* source = nullptr;  ///< source of its pages; the caller keeps it alive
  ChunkExtent extent;
  CompressionCodec codec{};
  std::optional<ChunkPart> part = {};  ///< nullopt: all of its pages are read
  /// The metadata lists no undefined encoding: an undefined number in the header of a dictionary page is
  /// damaged, and the entries are PLAIN.
  bool has_plain_dictionary = false;
};

/// The place of the chunk of a leaf.
[[nodiscard]] inline Place chunk_place(const StoredChunk& chunk, std::size_t leaf) noexcept {
  return {static_cast<std::int32_t>(chunk.row_group), static_cast<std::int32_t>(leaf), -1};
}

/// The pages of a chunk as found independently of its metadata.
struct FoundPages {
  std::optional<ChunkExtent> extent;  ///< nullopt if not all their headers can be read
  bool complete = false;              ///< none of them is lost
  bool other_type = false;            ///< their values are of another type than the schema states
};

/// The dictionary page of a chunk.
struct DictionaryPage {
  std::uint64_t body = 0;          ///< offset in the source
  std::uint64_t bytes = 0;         ///< of the body, as stored
  std::uint64_t uncompressed = 0;  ///< bytes of the body uncompressed
  std::uint64_t entries = 0;
  bool is_encrypted = false;
  View image = {};            ///< the entries; valid while the dictionary is known
  std::uint64_t header = 0;   ///< offset of its header
  std::int32_t ordinal = -1;  ///< of the page in its chunk
};

/// Bytes to read ahead at a page header where many columns are read side by side.
inline constexpr std::uint64_t kHeaderReadAhead = std::uint64_t{1} << 16;

/// State shared by the cursors over the columns of one file. The caller keeps it alive.
struct ReadingContext {
  const Schema& schema;
  const Limits& limits;
  /// Called once for a chunk that cannot be read by its metadata, has surplus bytes, or states another type
  /// than the schema. Returns nullopt if its pages were not searched for.
  std::function<std::optional<FoundPages>(const StoredChunk& chunk, std::size_t leaf)> find_pages = {};
  Decompressor decompressor = {};
  bool ignores_checksums = false;     ///< pages are read even if their checksum is wrong
  std::uint64_t wrong_checksums = 0;  ///< number of pages read with a wrong checksum
  std::uint64_t held = 0;             ///< bytes of pages and dictionaries that all cursors hold together
  Window::Room room = {};             ///< of the last cursor that ended
};

/// Iterates over the data pages of the chunks of one leaf: opens each and splits it into its sections, keeps
/// the dictionary, and skips pages of other types. A fault ends the reading of the chunk; page() is then the
/// page at fault.
class DataPages {
 public:
  /// `ahead`: read-ahead size after a page header.
  DataPages(ReadingContext& context, std::size_t leaf, std::uint64_t ahead)
      : context_(&context), leaf_(leaf), ahead_(ahead), content_(context.decompressor, context.limits) {}
  DataPages(const DataPages&) = delete;
  DataPages& operator=(const DataPages&) = delete;
  ~DataPages() {
    release();
    if (reader_) context_->room = reader_->release();
  }

  /// Starts at the first page of a chunk. Call it first.
  void open(const StoredChunk& chunk);
  /// Goes to the next data page that has entries. Returns false after the last page of the chunk, even if the
  /// metadata has another number of entries. Faults: of the header, the checksum, the codec, the sections,
  /// the dictionary; limit/page-size and limit/memory; if entries are missing, page/unknown-type if they may
  /// be in such a page, column-chunk/num-values if a page is lost.
  [[nodiscard]] PageResult<bool> next();
  /// Call it if the first data page has indices but no dictionary page was found: returns true if the chunk
  /// begins elsewhere; next() then goes to the first data page again.
  [[nodiscard]] bool begins_elsewhere() { return entries_ == page().num_values() && relocate(0); }
  /// Call it if the current page has surplus bytes: returns true if a page of the chunk is lost because a
  /// wrong header field was used.
  [[nodiscard]] bool is_misread();
  [[nodiscard]] bool counts_amiss();

  /// Sections of the current page; views are valid until the next one.
  [[nodiscard]] const DataPageParts& parts() const noexcept { return parts_; }
  [[nodiscard]] const Page& page() const noexcept { return walk_->page(); }
  [[nodiscard]] Place place() const noexcept {
    return {static_cast<std::int32_t>(chunk_.row_group), static_cast<std::int32_t>(leaf_), page().place.page};
  }
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return dictionary_; }
  /// The page of dictionary(), if that is known.
  [[nodiscard]] const DictionaryPage& dictionary_page() const noexcept { return dictionary_page_; }
  /// The body of the current page as it is stored, and decrypted; valid as parts() are.
  [[nodiscard]] View stored() const noexcept { return content_.stored(); }
  /// Returns true if the header of the current page has a checksum, and the stored bytes match it.
  [[nodiscard]] bool is_verified() const noexcept { return content_.checksum() == Checksum::right; }
  [[nodiscard]] const Node& leaf() const noexcept { return context_->schema.leaf(leaf_); }
  [[nodiscard]] const Limits& limits() const noexcept { return context_->limits; }
  /// Work budget that the bytes of the chunk earn.
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
  std::optional<PageReader> reader_;  // of the source of the chunk
  std::optional<PageWalk> walk_;
  PageContent content_;
  DataPageParts parts_;
  Buffer image_;
  Buffer dictionary_bytes_;
  Dictionary dictionary_;
  DictionaryPage dictionary_page_;
  Budget budget_;
  std::int64_t entries_ = 0;       // entries of the pages so far
  bool lacks_dictionary_ = false;  // the part needs a dictionary, which is read before its pages
  bool asked_ = false;             // find_pages() was called and has set found_
  std::optional<FoundPages> found_;
  std::optional<std::int32_t> unknown_type_;
  std::uint64_t held_page_ = 0;
  std::uint64_t held_dictionary_ = 0;
};

}  // namespace parqproof
