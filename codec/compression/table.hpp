#pragma once

#include <span>
#include <string_view>

#include "codec/compression/codecs.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// What decompressors keep between pages.
struct DecompressorState {
  GzipDecompressor gzip;
  ZstdDecompressor zstd;
};

/// One row of the table of compression codecs (Compression.md#codecs).
struct CompressionInfo {
  CompressionCodec codec;
  bool deprecated;
  Status (*expand)(DecompressorState& state, Expansion& expansion);

  /// The specification's name.
  [[nodiscard]] std::string_view name() const noexcept {
    return kCompressionCodecEnum.name_of(static_cast<int>(codec));
  }
};

/// All compression codecs, by number.
[[nodiscard]] std::span<const CompressionInfo> all_compression_codecs() noexcept;

/// The row of a codec; null for a number that the specification does not define.
[[nodiscard]] const CompressionInfo* find_compression(CompressionCodec codec) noexcept;

}  // namespace parqproof
