#include "codec/compression/table.hpp"

#include <algorithm>

namespace parqproof {
namespace {

// Row of a codec without state between pages.
template <Status (*Expand)(Expansion&)>
Status stateless(DecompressorState& /*state*/, Expansion& expansion) {
  return Expand(expansion);
}
template <CompressStatus (*Compress)(Compression&)>
CompressStatus stateless(CompressorState& /*state*/, Compression& compression) {
  return Compress(compression);
}
Status expand_gzip(DecompressorState& state, Expansion& expansion) { return state.gzip.expand(expansion); }
Status expand_zstd(DecompressorState& state, Expansion& expansion) { return state.zstd.expand(expansion); }
CompressStatus compress_gzip(CompressorState& state, Compression& compression) {
  return state.gzip.compress(compression);
}
CompressStatus compress_zstd(CompressorState& state, Compression& compression) {
  return state.zstd.compress(compression);
}
CompressStatus compress_lz4(CompressorState& state, Compression& compression) {
  return state.lz4.compress(compression);
}
CompressStatus compress_lz4_raw(CompressorState& state, Compression& compression) {
  return state.lz4.compress_raw(compression);
}

// Default levels are those of writers: parquet-java and parquet-rs use 6 for GZIP and 1 for BROTLI,
// parquet-java and the library use 3 for ZSTD, and all use the fast compressor of LZ4.
constexpr CompressionLevels kGzipLevels{0, 12, 6};
constexpr CompressionLevels kBrotliLevels{0, 11, 1};
constexpr CompressionLevels kLz4Levels{0, 12, 0};
constexpr CompressionLevels kZstdLevels{-7, 22, 3};

// The columns are codec, deprecated, levels, expand, compress.
constexpr CompressionInfo kCodecs[] = {
    {CompressionCodec::UNCOMPRESSED,
     false,
     {},
     stateless<expand_uncompressed>,
     stateless<compress_uncompressed>},
    {CompressionCodec::SNAPPY, false, {}, stateless<expand_snappy>, stateless<compress_snappy>},
    {CompressionCodec::GZIP, false, kGzipLevels, expand_gzip, compress_gzip},
    {CompressionCodec::LZO, false, {}, stateless<expand_lzo>, stateless<compress_lzo>},
    {CompressionCodec::BROTLI, false, kBrotliLevels, stateless<expand_brotli>, stateless<compress_brotli>},
    {CompressionCodec::LZ4, true, kLz4Levels, stateless<expand_lz4>, compress_lz4},
    {CompressionCodec::ZSTD, false, kZstdLevels, expand_zstd, compress_zstd},
    {CompressionCodec::LZ4_RAW, false, kLz4Levels, stateless<expand_lz4_raw>, compress_lz4_raw},
};

// Codecs that can be expanded can also be compressed, and vice versa.
static_assert(std::ranges::all_of(kCodecs, [](const CompressionInfo& row) {
  return row.expand != nullptr && row.compress != nullptr;
}));

}  // namespace

std::span<const CompressionInfo> all_compression_codecs() noexcept { return kCodecs; }

const CompressionInfo* find_compression(CompressionCodec codec) noexcept {
  const auto* const row = std::ranges::find(kCodecs, codec, &CompressionInfo::codec);
  return row == std::end(kCodecs) ? nullptr : row;
}

}  // namespace parqproof
