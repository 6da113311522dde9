#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format/enums.hpp"

namespace parqproof {

/// Header of a GZIP member (RFC 1952, 2.3).
struct GzipHeader {
  /// A subfield of the extra field.
  struct Subfield {
    std::array<std::uint8_t, 2> id;  ///< two letters; a second byte of 0 is reserved
    std::vector<std::uint8_t> bytes;
  };
  bool text = false;       ///< FTEXT: the image is probably text
  std::uint32_t time = 0;  ///< MTIME: time of the last change, in seconds since 1970; 0: unknown
  /// XFL: 2 for max compression, 4 for the fastest, or 0. Unset: derived from the level.
  std::optional<std::uint8_t> effort = {};
  std::uint8_t system = 255;                        ///< OS of the writer; 255: unknown
  std::optional<std::vector<Subfield>> extra = {};  ///< FEXTRA, at most 65535 bytes
  std::optional<std::string> name = {};             ///< FNAME in Latin-1, without NUL
  std::optional<std::string> comment = {};          ///< FCOMMENT in Latin-1, without NUL
  bool checksum = false;                            ///< FHCRC: checksum of the header
};

/// Choices that the specification leaves to the writer of compressed pages. Each codec uses the options that
/// name it and ignores the others. All valid combinations give valid streams.
struct CompressOptions {
  /// Compression level of GZIP (0 to 12), ZSTD (-7 to 22), BROTLI (0 to 11), LZ4 and LZ4_RAW (0 to 12; below
  /// 3 the fast compressor). Unset: 6, 3, 1 and 0.
  std::optional<int> level = {};
  /// Max distance of matches, 2^n bytes: ZSTD (10 to 27) and BROTLI (10 to 24). Unset: the library's default
  /// for the level; for BROTLI the smallest that covers the image.
  std::optional<unsigned> window_log = {};
  /// Number of GZIP members, ZSTD frames or flushed parts of a BROTLI stream. All have the same size, except
  /// the last ones.
  std::uint32_t pieces = 1;
  bool content_size = true;  ///< frames of ZSTD and of LZ4's frame layout contain it
  bool checksum = false;     ///< frames of ZSTD and of LZ4's frame layout end with a checksum of the content
  bool literals_only = false;  ///< SNAPPY without copies; LZO is always written so
  /// Image bytes of each SNAPPY literal without copies, at least 1. Unset: one literal. LZO cannot have a
  /// second run of literals.
  std::optional<std::uint32_t> literal_size = {};
  /// Min bytes of a literal's length after the tag: SNAPPY without copies (0 to 4).
  unsigned literal_length_bytes = 0;
  unsigned length_bytes = 1;  ///< min bytes of the length before a SNAPPY stream (1 to 5)
  /// The first byte of an LZO stream counts up to 238 literals. False: from 4 literals on, an instruction
  /// counts them.
  bool first_byte_counts = true;
  /// Framing of LZ4 blocks and LZO streams, which no field of a file states.
  enum class Layout : std::uint8_t {
    hadoop,  ///< Hadoop's blocks, each after its sizes
    bare,    ///< one bare LZ4 block or LZO stream
    frame,   ///< one LZ4 frame; not for LZO
  };
  Layout layout = Layout::hadoop;
  /// Image bytes of each of Hadoop's blocks, or of the blocks of LZ4's frame layout, at least 1. Unset: the
  /// entire image, or the max size of a block.
  std::optional<std::uint32_t> block_size = {};
  /// Image bytes of each part of Hadoop's blocks, at least 1. Unset: each block has one part.
  std::optional<std::uint32_t> part_size = {};
  /// An empty image has one block of Hadoop's layout with an empty part; false: without a part.
  bool empty_part = true;
  /// Max block size in the header of LZ4's frame layout, 2^n bytes: 16, 18, 20 or 22. Unset: the smallest
  /// that suffices.
  std::optional<unsigned> frame_block_log = {};
  /// Blocks of LZ4's frame layout may have matches in previous blocks. Unset: true if there is more than one
  /// block.
  std::optional<bool> linked_blocks = {};
  bool block_checksum = false;  ///< each block of LZ4's frame layout ends with a checksum
  /// Number of zero bytes that readers skip at the beginning of the stream: in a skippable frame of ZSTD, or
  /// in a metadata block of BROTLI (at most 2^24; a single byte follows an empty block). Unset: no such frame
  /// or block.
  std::optional<std::uint32_t> skippable_bytes = {};
  /// Postfix bits of distances (0 to 3) in BROTLI of levels 4 to 9. Higher levels use them only at first and
  /// then choose their own.
  unsigned postfix_bits = 0;
  /// Number of distances with codes of their own in these levels: 0 to 15, times 2^postfix_bits.
  unsigned direct_distances = 0;
  GzipHeader gzip = {};  ///< header of every member
};

/// Success, or the reason why the image cannot be compressed with these options.
using CompressStatus = std::expected<void, std::string_view>;

/// Compresses complete page sections. Reuses contexts between pages.
class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;

  /// Appends `image`, compressed with `codec`, to `out`. The same arguments give the same bytes. On failure
  /// `out` is unchanged: options out of range, an image larger than the format allows, an undefined codec.
  [[nodiscard]] CompressStatus compress(CompressionCodec codec, std::span<const std::uint8_t> image,
                                        const CompressOptions& options, std::vector<std::uint8_t>& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace parqproof
