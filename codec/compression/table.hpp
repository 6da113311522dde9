#pragma once

#include <optional>
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

/// What compressors keep between pages.
struct CompressorState {
  GzipCompressor gzip;
  ZstdCompressor zstd;
  Lz4Compressor lz4;
};

/// The levels of a codec whose compressor has a choice between little work and a small stream.
struct CompressionLevels {
  int least = 0;
  int most = 0;
  /// Those of which the smallest stream is taken where no option names one. The highest alone is no choice:
  /// of some images another makes half as much.
  std::span<const int> tried;
  /// Those that are tried in each of these windows of 2^n bytes too, where no option names a window and the
  /// image has as many bytes: what a small window cannot reach leads no compressor astray.
  std::span<const int> tried_in_windows = {};
  std::span<const unsigned> windows = {};
};

/// One row of the table of compression codecs (Compression.md#codecs).
struct CompressionInfo {
  CompressionCodec codec;
  bool deprecated;
  std::optional<CompressionLevels> levels;
  Status (*expand)(DecompressorState& state, Expansion& expansion) = nullptr;
  CompressStatus (*compress)(CompressorState& state, Compression& compression) = nullptr;

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
