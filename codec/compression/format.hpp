#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// Formats in which compressed bytes are found, independent of the codec.
enum class StreamFormat : std::uint8_t {
  unknown,
  gzip,
  zlib,
  deflate,
  snappy,         ///< raw, as the codec SNAPPY requires
  snappy_framed,  ///< Snappy's framing format
  zstd,
  lz4_block,   ///< one bare block, as the codec LZ4_RAW requires
  lz4_frame,   ///< one frame
  lz4_hadoop,  ///< blocks after their sizes, big-endian
};

/// Name of the format in reports.
[[nodiscard]] std::string_view to_string(StreamFormat format) noexcept;

/// Returns true if streams of `codec` have this format.
[[nodiscard]] bool belongs(StreamFormat format, CompressionCodec codec) noexcept;

/// Detects the format of `stored`. A magic number, or an expansion to exactly `claimed` bytes is the
/// evidence; without either the result is unknown. Bare LZ4 blocks, BROTLI and LZO are never detected: they
/// have no magic number, and too many bytes are valid streams.
[[nodiscard]] StreamFormat identify(View stored, std::size_t claimed) noexcept;

}  // namespace parqproof
