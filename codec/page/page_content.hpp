#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/page/levels.hpp"
#include "codec/page/page_fault.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/rules/notes.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// How the checksum that a page header states compares with the bytes of the page
/// (parquet.thrift#PageHeader.crc).
enum class Checksum : std::uint8_t {
  not_compared,  ///< none is stated, or nobody asked
  right,
  castagnoli,  ///< crc/match: a CRC-32C of the stored bytes, as some writers put it there
  of_image,    ///< crc/match: the CRC-32 of the uncompressed bytes, likewise
  wrong,       ///< crc/match: the page is damaged
};

/// The sections of a data page.
struct DataPageParts {
  LevelSection repetition;
  LevelSection definition;
  View values;
  Encoding encoding{};
  std::uint64_t count = 0;  ///< entries
};

/// Whether a page of a chunk with this codec is compressed, by its header. The levels of a v2 page never are.
/// No field tells it for an index page, which is compressed if its two sizes differ.
[[nodiscard]] bool says_compressed(const Page& page, CompressionCodec codec) noexcept;

/// Opens the bodies of the pages of one file: the one place where stored bytes become the image of a page.
/// What it says is about the page that was opened last; views stay valid until the next read of any kind.
class PageContent {
 public:
  enum class State : std::uint8_t {
    open,        ///< image() is the uncompressed page
    closed,      ///< the body cannot be uncompressed: fault() says why
    unreadable,  ///< the source could not be read
  };

  /// Both outlive the pages that are opened.
  PageContent(Decompressor& decompressor, const Limits& limits) noexcept
      : decompressor_(&decompressor), limits_(&limits) {}

  /// Opens the body of a page without header_faults() and ceiling_fault(). What a codec makes of it goes into
  /// `room`; what the codec notes on the way, to `notes`. Faults: those of the codec at the first compressed
  /// byte, page/compressed-size, page/uncompressed-size, limit/memory.
  [[nodiscard]] State open(PageReader& reader, const Page& page, CompressionCodec codec, bool with_checksum,
                           Buffer& room, Notes& notes);
  /// Reads the stored bytes and compares the checksum alone; nothing of the page but its size is believed.
  /// State::open says that stored() is there.
  [[nodiscard]] State open_stored(PageReader& reader, const Page& page);

  [[nodiscard]] View stored() const noexcept { return stored_; }
  /// The stored bytes themselves where they are not compressed, else bytes in `room` (Space::page).
  [[nodiscard]] View image() const noexcept { return image_; }
  [[nodiscard]] bool is_compressed() const noexcept { return image_.space == Space::page; }
  /// The header of a v2 page says that it is not compressed, but its two sizes differ, as only those of a
  /// compressed page do. The image is what the stored bytes turned out to be.
  [[nodiscard]] bool is_mislabelled() const noexcept { return mislabelled_; }
  [[nodiscard]] Checksum checksum() const noexcept { return checksum_; }
  /// crc/match: the fault of a checksum that differs.
  [[nodiscard]] std::optional<PageFault> checksum_fault(const Page& page) const;
  /// The fault after State::closed.
  [[nodiscard]] const PageFault& fault() const noexcept { return fault_; }

 private:
  [[nodiscard]] bool read(PageReader& reader, const Page& page);
  [[nodiscard]] State expand(const Page& page, CompressionCodec codec, Buffer& room, Notes& notes);
  [[nodiscard]] bool is_compressed_body(const Page& page, CompressionCodec codec, std::size_t levels,
                                        Buffer& room);
  void compare_checksum(const Page& page, bool expanded);
  [[nodiscard]] State close(PageFault fault);

  Decompressor* decompressor_;
  const Limits* limits_;
  View stored_;
  View image_;
  PageFault fault_;
  std::uint32_t computed_ = 0;  // CRC-32 of the stored bytes
  Checksum checksum_ = Checksum::not_compared;
  bool mislabelled_ = false;
};

/// Takes the levels of one kind, which are at most `max`, off the front of `rest`: what is left of the image
/// of a v1 page of `count` entries. Errors: levels/length-prefix (found: the length that is stated),
/// bit-packed/length.
[[nodiscard]] Result<LevelSection> cut_v1_levels(View& rest, std::uint32_t max, Encoding encoding,
                                                 std::uint64_t count);

/// Cuts the image of a data page without header_faults() into its sections. Errors: levels/length-prefix,
/// bit-packed/length, page/v2-level-lengths.
[[nodiscard]] Result<DataPageParts> split_data_page(const Page& page, View image, const Node& leaf);

/// Whether levels of a v2 page begin with a word that could be their length: pass_length_words() tells.
[[nodiscard]] bool may_have_length_words(const Page& page, const DataPageParts& parts) noexcept;

/// levels/v2-prefix: some writers put the length word of v1 pages before the levels of v2 pages. True where
/// the levels of a v2 page break rules as they stand, and none if the length words are passed over; `parts`
/// are then set to the levels behind the words. `before`: the reader of levels in its state before the page.
[[nodiscard]] bool pass_length_words(const Page& page, const LevelReader& before, DataPageParts& parts);

}  // namespace parqproof
