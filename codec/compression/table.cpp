#include "codec/compression/table.hpp"

#include <algorithm>

namespace parqproof {
namespace {

// A codec that keeps nothing between pages.
template <Status (*Expand)(Expansion&)>
Status stateless(DecompressorState& /*state*/, Expansion& expansion) {
  return Expand(expansion);
}
Status gzip(DecompressorState& state, Expansion& expansion) { return state.gzip.expand(expansion); }
Status zstd(DecompressorState& state, Expansion& expansion) { return state.zstd.expand(expansion); }

// The columns are codec, deprecated, judged, expand.
constexpr CompressionInfo kCodecs[] = {
    {CompressionCodec::UNCOMPRESSED, false, true, stateless<expand_uncompressed>},
    {CompressionCodec::SNAPPY, false, true, stateless<expand_snappy>},
    {CompressionCodec::GZIP, false, true, gzip},
    {CompressionCodec::LZO, false, false, stateless<expand_lzo>},
    {CompressionCodec::BROTLI, false, false, stateless<expand_brotli>},
    {CompressionCodec::LZ4, true, false, stateless<expand_lz4>},
    {CompressionCodec::ZSTD, false, true, zstd},
    {CompressionCodec::LZ4_RAW, false, false, stateless<expand_lz4_raw>},
};

}  // namespace

std::span<const CompressionInfo> all_compression_codecs() noexcept { return kCodecs; }

const CompressionInfo* find_compression(CompressionCodec codec) noexcept {
  const auto* const row = std::ranges::find(kCodecs, codec, &CompressionInfo::codec);
  return row == std::end(kCodecs) ? nullptr : row;
}

}  // namespace parqproof
