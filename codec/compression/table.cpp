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

// The columns are codec, deprecated, expand.
constexpr CompressionInfo kCodecs[] = {
    {CompressionCodec::UNCOMPRESSED, false, stateless<expand_uncompressed>},
    {CompressionCodec::SNAPPY, false, stateless<expand_snappy>},
    {CompressionCodec::GZIP, false, gzip},
    {CompressionCodec::LZO, false, stateless<expand_lzo>},
    {CompressionCodec::BROTLI, false, stateless<expand_brotli>},
    {CompressionCodec::LZ4, true, stateless<expand_lz4>},
    {CompressionCodec::ZSTD, false, zstd},
    {CompressionCodec::LZ4_RAW, false, stateless<expand_lz4_raw>},
};

}  // namespace

std::span<const CompressionInfo> all_compression_codecs() noexcept { return kCodecs; }

const CompressionInfo* find_compression(CompressionCodec codec) noexcept {
  const auto* const row = std::ranges::find(kCodecs, codec, &CompressionInfo::codec);
  return row == std::end(kCodecs) ? nullptr : row;
}

}  // namespace parqproof
