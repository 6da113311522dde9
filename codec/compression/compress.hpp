#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/format/enums.hpp"

namespace parqproof {

/// What the specification leaves to the writer of compressed pages; each codec looks at the options that name
/// it. Every combination that is taken gives a legal stream.
struct CompressOptions {
  /// How much work GZIP (0 to 12), ZSTD (-7 to 22), BROTLI (0 to 11), LZ4 and LZ4_RAW (0 to 12, below 3 the
  /// fast compressor) do for a small stream. Unset: some are tried, and the smallest stream is taken.
  std::optional<int> level = {};
  /// The distance of matches, 2^n bytes at most: ZSTD (10 to 27) and BROTLI (10 to 24). Unset: what the
  /// library takes for the level, and for BROTLI the least that reaches over the image.
  std::optional<unsigned> window_log = {};
  /// GZIP members or ZSTD frames that the image is cut into, each but the last ones of the same size.
  std::uint32_t pieces = 1;
  bool content_size = true;    ///< stands in the frames of ZSTD and of LZ4's frame layout
  bool checksum = false;       ///< of the content ends the frames of ZSTD and of LZ4's frame layout
  bool literals_only = false;  ///< SNAPPY without a copy; LZO is always written so
  /// What is around LZ4 blocks and LZO streams; no file names it.
  enum class Layout : std::uint8_t {
    hadoop,  ///< Hadoop's blocks behind their sizes
    bare,    ///< one LZ4 block, one LZO stream
    frame,   ///< one LZ4 frame; LZO has none
  };
  Layout layout = Layout::hadoop;
  /// Bytes of the image in each of Hadoop's blocks, from 1. Unset: the whole image, or as much as a block
  /// holds.
  std::optional<std::uint32_t> block_size = {};
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
