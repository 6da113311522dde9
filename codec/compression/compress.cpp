#include "codec/compression/compress.hpp"

#include <cstddef>

#include "codec/compression/table.hpp"

namespace parqproof {
struct Compressor::State : CompressorState {};

Compressor::Compressor() : state_(std::make_unique<State>()) {}
Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;

CompressStatus Compressor::compress(CompressionCodec codec, std::span<const std::uint8_t> image,
                                    const CompressOptions& options, std::vector<std::uint8_t>& out) {
  const CompressionInfo* const row = find_compression(codec);
  if (row == nullptr) return std::unexpected("the specification defines no such codec");
  const CompressionLevels levels = row->levels.value_or(CompressionLevels{});
  const int level = row->levels ? options.level.value_or(levels.usual) : 0;
  if (level < levels.min || level > levels.max) return std::unexpected("the codec has no such level");
  const std::size_t before = out.size();
  Compression compression(image, options, level, out);
  const CompressStatus done = row->compress(*state_, compression);
  if (!done) out.resize(before);
  return done;
}

CompressStatus compress_uncompressed(Compression& compression) {
  compression.append(compression.image());
  return {};
}

}  // namespace parqproof
