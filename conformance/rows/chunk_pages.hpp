#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"
#include "codec/file/levels.hpp"
#include "codec/file/page_reader.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/rows/trouble.hpp"

namespace parqproof {

/// What the cursors over the columns of one file share.
struct ReadingContext {
  const Source& source;  ///< of the metadata; column chunks may be in others
  const Schema& schema;
  const Limits& limits;
  std::uint64_t footer_offset;  ///< where the bytes of data end
  View footer;
  Trouble& trouble;
  Decompressor decompressor;
  std::uint64_t held = 0;  ///< bytes of pages and dictionaries that all cursors hold together
};

/// A column chunk to be read, as its metadata describes it.
struct ChunkPlace {
  std::uint64_t struct_offset = 0;  ///< of the ColumnChunk in the file
  std::uint32_t row_group = 0;
  const Source* source = nullptr;  ///< of its pages; it outlives the reading
  std::uint64_t start = 0;         ///< of its first page
  std::uint64_t end = 0;           ///< behind its last page
  std::int64_t num_values = 0;
  CompressionCodec codec{};
};

/// A data page taken apart; the views stay valid until the next one.
struct DataSections {
  std::uint64_t count = 0;  ///< entries
  LevelSection repetition;
  LevelSection definition;
  View values;
  Encoding encoding{};
};

/// The entries of a dictionary page: windows into bytes of its own.
class Dictionary {
 public:
  void clear() noexcept { known_ = false, entries_.clear(), count_ = 0; }
  [[nodiscard]] bool known() const noexcept { return known_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  /// The PLAIN bytes of an entry, a BYTE_ARRAY without its length word, a BOOLEAN as one byte.
  [[nodiscard]] ByteArray operator[](std::uint32_t index) const noexcept {
    static constexpr std::uint8_t kBooleans[] = {0, 1};
    if (bits_) return {&kBooleans[bytes_[index / 8] >> index % 8 & 1], 1};
    if (!entries_.empty()) return entries_[index];
    return {bytes_ + std::size_t{index} * width_, width_};
  }
  /// Decodes `count` entries out of `bytes`, which stay where they are.
  [[nodiscard]] Status open(View bytes, const Node& leaf, std::uint64_t count, const Limits& limits);

 private:
  bool known_ = false;
  bool bits_ = false;  // of BOOLEAN
  std::uint64_t count_ = 0;
  std::uint32_t width_ = 0;
  const std::uint8_t* bytes_ = nullptr;
  std::vector<ByteArray> entries_;  // where they are of different lengths
};

/// Walks along the pages of the chunks of one leaf: data pages are checked, expanded and cut into sections,
/// the dictionary page is kept, others are passed over.
class ChunkPages {
 public:
  /// `ahead`: bytes worth reading along with a page header.
  ChunkPages(ReadingContext& context, std::size_t leaf, std::uint64_t ahead)
      : context_(&context),
        leaf_(static_cast<std::int32_t>(leaf)),
        ahead_(ahead),
        source_(&context.source),
        reader_(context.source, context.limits, ahead) {}

  enum class Step : std::uint8_t { page, end, trouble };

  void open(const ChunkPlace& chunk);
  /// The next data page that has entries.
  [[nodiscard]] Step next(DataSections& sections);

  [[nodiscard]] const Node& leaf() const noexcept {
    return context_->schema.leaf(static_cast<std::size_t>(leaf_));
  }
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return dictionary_; }
  [[nodiscard]] Budget& budget() noexcept { return budget_; }
  [[nodiscard]] ReadingContext& context() noexcept { return *context_; }
  /// The current page.
  [[nodiscard]] Place place() const noexcept {
    return {static_cast<std::int32_t>(chunk_.row_group), leaf_, ordinal_};
  }
  [[nodiscard]] bool at_v2() const noexcept { return page_.header.type == PageType::DATA_PAGE_V2; }
  /// Reports a fault of the current page's header, or an Error in its body; false, to be returned.
  bool fault(Rule rule, std::string_view path, Seen what);
  bool error(const Error& error);
  /// Reports a fault of the chunk's metadata.
  bool chunk_fault(Rule rule, std::string_view path, Seen what);

 private:
  bool read_header();
  bool header_is_sound();
  bool sizes_are_sound();
  bool encoding_is_known(Encoding encoding);
  bool level_encoding_is_known(Encoding encoding, std::uint32_t max, std::string_view path);
  bool data_header_is_sound(DataSections& sections);
  bool read_body(View& image, Buffer& room);
  bool crc_is_right(View stored, View image);
  bool read_dictionary();
  bool cut(View image, DataSections& sections);

  ReadingContext* context_;
  std::int32_t leaf_;
  std::uint64_t ahead_;
  const Source* source_;
  PageReader reader_;  // of source_
  ChunkPlace chunk_;
  Page page_;
  Buffer image_;
  Buffer dictionary_bytes_;
  Dictionary dictionary_;
  Budget budget_;
  std::uint64_t at_ = 0;
  std::int64_t values_ = 0;  // entries of the pages so far
  std::int32_t ordinal_ = -1;
  std::optional<std::int32_t> unknown_type_;
  std::uint64_t held_page_ = 0;
  std::uint64_t held_dictionary_ = 0;
};

}  // namespace parqproof
