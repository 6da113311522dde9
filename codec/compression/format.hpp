#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// The formats that compressed bytes are found in, under whatever codec.
enum class StreamFormat : std::uint8_t {
  unknown,
  gzip,
  zlib,
  deflate,
  snappy,         ///< as the codec SNAPPY has it
  snappy_framed,  ///< Snappy's framing format
  zstd,
  lz4_block,   ///< one bare block, as the codec LZ4_RAW has it
  lz4_frame,   ///< one frame
  lz4_hadoop,  ///< blocks behind their sizes, big-endian
};

/// What a report calls the format.
[[nodiscard]] std::string_view to_string(StreamFormat format) noexcept;

/// Whether streams of `codec` are in this format.
[[nodiscard]] bool belongs(StreamFormat format, CompressionCodec codec) noexcept;

/// What `stored` is, if that is beyond doubt: it bears the magic number of its format, or it expands to
/// exactly `claimed` bytes. A bare LZ4 block, BROTLI and LZO are never found: they have no mark, and fit too
/// much.
[[nodiscard]] StreamFormat identify(View stored, std::size_t claimed) noexcept;

}  // namespace parqproof
