#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "codec/compression/codecs.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// State that decompressors keep between pages.
struct DecompressorState {
  GzipDecompressor gzip;
  ZstdDecompressor zstd;
};

/// State that compressors keep between pages.
struct CompressorState {
  GzipCompressor gzip;
  ZstdCompressor zstd;
  Lz4Compressor lz4;
};

/// Levels of a codec whose compressor trades speed for size.
struct CompressionLevels {
  int min = 0;
  int max = 0;
  int usual = 0;  ///< default level
};

/// One row of the table of compression codecs (Compression.md#codecs).
struct CompressionInfo {
  CompressionCodec codec;
  bool deprecated;
  std::optional<CompressionLevels> levels;
  Status (*expand)(DecompressorState& state, Expansion& expansion) = nullptr;
  CompressStatus (*compress)(CompressorState& state, Compression& compression) = nullptr;

  /// Name in the specification.
  [[nodiscard]] std::string_view name() const noexcept {
    return kCompressionCodecEnum.name_of(static_cast<int>(codec));
  }
};

/// Returns all compression codecs, ordered by number.
[[nodiscard]] std::span<const CompressionInfo> all_compression_codecs() noexcept;

/// Returns the row of a codec; null for an undefined number.
[[nodiscard]] const CompressionInfo* find_compression(CompressionCodec codec) noexcept;

}  // namespace parqproof
