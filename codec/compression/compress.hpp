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

/// The header of a GZIP member (RFC 1952, 2.3).
struct GzipHeader {
  /// A part of the extra field.
  struct Subfield {
    std::array<std::uint8_t, 2> id;  ///< two letters; a second byte of 0 is reserved
    std::vector<std::uint8_t> bytes;
  };
  bool text = false;       ///< FTEXT: the image is probably text
  std::uint32_t time = 0;  ///< MTIME: of the last change, in seconds since 1970; 0: unknown
  /// XFL: 2 for the most work, 4 for the least, 0. Unset: by the level.
  std::optional<std::uint8_t> effort = {};
  std::uint8_t system = 255;                        ///< OS: of the writer; 255: unknown
  std::optional<std::vector<Subfield>> extra = {};  ///< FEXTRA, of 65535 bytes at most
  std::optional<std::string> name = {};             ///< FNAME, in Latin-1, without a byte of 0
  std::optional<std::string> comment = {};          ///< FCOMMENT, likewise
  bool checksum = false;                            ///< FHCRC: of the header itself
};

/// What the specification leaves to the writer of compressed pages; each codec looks at the options that name
/// it. Every combination that is taken gives a legal stream.
struct CompressOptions {
  /// How much work GZIP (0 to 12), ZSTD (-7 to 22), BROTLI (0 to 11), LZ4 and LZ4_RAW (0 to 12, below 3 the
  /// fast compressor) do for a small stream. Unset: 6, 3, 1 and 0.
  std::optional<int> level = {};
  /// The max distance of matches, 2^n bytes: ZSTD (10 to 27) and BROTLI (10 to 24). Unset: what the library
  /// takes for the level, and for BROTLI the smallest that reaches over the image.
  std::optional<unsigned> window_log = {};
  /// GZIP members, ZSTD frames or flushed parts of a BROTLI stream that the image is cut into, each but the
  /// last ones of the same size.
  std::uint32_t pieces = 1;
  bool content_size = true;    ///< stands in the frames of ZSTD and of LZ4's frame layout
  bool checksum = false;       ///< of the content ends the frames of ZSTD and of LZ4's frame layout
  bool literals_only = false;  ///< SNAPPY without a copy; LZO is always written so
  /// Bytes of the image in each of SNAPPY's literals without a copy, from 1. Unset: one literal. LZO has no
  /// place for a second run of literals.
  std::optional<std::uint32_t> literal_size = {};
  /// Bytes behind the tag that hold a literal's length, at least: SNAPPY without a copy (0 to 4).
  unsigned literal_length_bytes = 0;
  unsigned length_bytes = 1;  ///< that the length in front of a SNAPPY stream has at least (1 to 5)
  /// The first byte of an LZO stream counts up to 238 literals. False: from 4 literals on an instruction
  /// does.
  bool first_byte_counts = true;
  /// What is around LZ4 blocks and LZO streams; no file names it.
  enum class Layout : std::uint8_t {
    hadoop,  ///< Hadoop's blocks behind their sizes
    bare,    ///< one LZ4 block, one LZO stream
    frame,   ///< one LZ4 frame; LZO has none
  };
  Layout layout = Layout::hadoop;
  /// Bytes of the image in each of Hadoop's blocks, or of the blocks of LZ4's frame layout, from 1. Unset:
  /// the whole image, or as much as a block holds.
  std::optional<std::uint32_t> block_size = {};
  /// Bytes of the image in each part of Hadoop's blocks, from 1. Unset: each block is one part.
  std::optional<std::uint32_t> part_size = {};
  bool empty_part = true;  ///< stands in the one block that Hadoop's layout has for an empty image
  /// What LZ4's frame layout says of its blocks: 2^n bytes at most, 16, 18, 20 or 22. Unset: the least that
  /// holds each of them.
  std::optional<unsigned> frame_block_log = {};
  /// Whether blocks of LZ4's frame layout may have matches in the blocks before. Unset: where there is more
  /// than one.
  std::optional<bool> linked_blocks = {};
  bool block_checksum = false;  ///< ends each block of LZ4's frame layout
  /// Bytes, all of them 0, that readers skip at the start of the stream: in a skippable frame of ZSTD, or in
  /// a metadata block of BROTLI (2^24 at most; one byte stands behind an empty block). Unset: there is no
  /// such frame or block.
  std::optional<std::uint32_t> skippable_bytes = {};
  /// Postfix bits of distances (0 to 3) in BROTLI of the levels 4 to 9; the levels above begin with them and
  /// choose for themselves.
  unsigned postfix_bits = 0;
  unsigned direct_distances = 0;  ///< that have codes of their own, there: 0 to 15, times 2^postfix_bits
  GzipHeader gzip = {};           ///< of every member
};

/// Nothing, or in words why this image cannot be compressed with these options.
using CompressStatus = std::expected<void, std::string_view>;

/// Compresses whole page sections. It reuses contexts between pages.
class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;

  /// Appends `image`, compressed with `codec`, to `out`; the same arguments give the same bytes. What is
  /// refused leaves `out` as it was: options out of range, an image larger than the format can hold, a number
  /// that is no codec.
  [[nodiscard]] CompressStatus compress(CompressionCodec codec, std::span<const std::uint8_t> image,
                                        const CompressOptions& options, std::vector<std::uint8_t>& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace parqproof
