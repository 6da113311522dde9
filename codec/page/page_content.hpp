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

/// Result of comparing the checksum in a page header with the bytes of the page
/// (parquet.thrift#PageHeader.crc).
enum class Checksum : std::uint8_t {
  not_compared,  ///< the header has no checksum, or the comparison was not requested
  right,
  castagnoli,  ///< crc/match: it is the CRC-32C of the stored bytes, as of some writers
  of_image,    ///< crc/match: it is the CRC-32 of the uncompressed bytes, as of some writers
  wrong,       ///< crc/match: the page is corrupt
};

/// The sections of a data page.
struct DataPageParts {
  LevelSection repetition;
  LevelSection definition;
  View values;
  Encoding encoding{};
  std::uint64_t count = 0;  ///< entries of the page
};

/// Returns true if a page of a chunk with this codec is compressed according to its header. The levels of a
/// v2 page never are. Index pages have no field for it and count as compressed if their two sizes differ.
[[nodiscard]] bool says_compressed(const Page& page, CompressionCodec codec) noexcept;

/// Opens the bodies of the pages of one file: the only code that turns stored bytes into the image of a page.
/// Results refer to the last page that was opened; views are valid until the next read of any kind.
class PageContent {
 public:
  enum class State : std::uint8_t {
    open,        ///< image() is the uncompressed page
    closed,      ///< the body cannot be uncompressed, see fault()
    unreadable,  ///< the source could not be read
  };

  /// The caller keeps both alive.
  PageContent(Decompressor& decompressor, const Limits& limits) noexcept
      : decompressor_(&decompressor), limits_(&limits) {}

  /// Opens the body of a page without header_faults() and ceiling_fault(). Uncompressed bytes go to `room`,
  /// notes of the codec to `notes`. Faults: those of the codec at the first compressed byte,
  /// page/compressed-size, page/uncompressed-size, limit/memory.
  [[nodiscard]] State open(PageReader& reader, const Page& page, CompressionCodec codec, bool with_checksum,
                           Buffer& room, Notes& notes);
  /// Reads only the stored bytes and compares the checksum; uses no field of the header except the sizes.
  /// After State::open, stored() is valid.
  [[nodiscard]] State open_stored(PageReader& reader, const Page& page);

  /// The stored bytes of the body; of an encrypted one after open(), the decrypted bytes.
  [[nodiscard]] View stored() const noexcept { return stored_; }
  /// encryption/v2-levels: the levels of an encrypted page are not encrypted.
  [[nodiscard]] bool are_levels_open() const noexcept { return levels_open_; }
  /// The uncompressed page: the stored bytes if they are not compressed, else bytes in `room` (Space::page).
  [[nodiscard]] View image() const noexcept { return image_; }
  [[nodiscard]] bool is_compressed() const noexcept { return image_.space == Space::page; }
  /// Returns true if the header of a v2 page states that it is not compressed, but its two sizes differ, as
  /// only those of compressed pages do. The body is then expanded if that gives exactly the claimed size.
  [[nodiscard]] bool is_mislabelled() const noexcept { return mislabelled_; }
  [[nodiscard]] Checksum checksum() const noexcept { return checksum_; }
  /// Returns the fault crc/match of a wrong checksum.
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
  [[nodiscard]] State close_level_lengths(const Page& page);

  Decompressor* decompressor_;
  const Limits* limits_;
  View body_;  // as it is in the file
  View stored_;
  View image_;
  PageFault fault_;
  std::uint32_t computed_ = 0;  // CRC-32 of the stored bytes
  Checksum checksum_ = Checksum::not_compared;
  bool mislabelled_ = false;
  bool levels_open_ = false;
};

/// Removes the levels of one kind, with max `max`, from the front of `rest`, the remaining image of a v1 page
/// of `count` entries. Errors: levels/length-prefix (found: the length prefix), bit-packed/length.
[[nodiscard]] Result<LevelSection> cut_v1_levels(View& rest, std::uint32_t max, Encoding encoding,
                                                 std::uint64_t count);

/// Splits the image of a data page without header_faults() into its sections. Errors: levels/length-prefix,
/// bit-packed/length, page/v2-level-lengths.
[[nodiscard]] Result<DataPageParts> split_data_page(const Page& page, View image, const Node& leaf);

/// Returns true if levels of a v2 page begin with a number that could be their length, which
/// skip_length_prefixes() decides.
[[nodiscard]] bool may_have_length_prefixes(const Page& page, const DataPageParts& parts) noexcept;

/// levels/v2-prefix: some writers put the length prefix of v1 pages before the levels of v2 pages. Faults of
/// the levels as they are, and none after the prefixes, are the evidence. Returns true if there is this
/// evidence and sets `parts` to the levels after the prefixes. `before`: the reader of levels in its state
/// before the page.
[[nodiscard]] bool skip_length_prefixes(const Page& page, const LevelReader& before, DataPageParts& parts);

}  // namespace parqproof
