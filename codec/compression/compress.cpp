#include "codec/compression/compress.hpp"

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
  int level = 0;
  if (row->levels) {
    level = options.level.value_or(row->levels->usual);
    if (level < row->levels->least || level > row->levels->most) {
      return std::unexpected("the codec has no such level");
    }
  }
  const std::size_t before = out.size();
  Compression compression(image, options, level, out);
  CompressStatus done = row->compress(*state_, compression);
  if (!done) out.resize(before);
  return done;
}

CompressStatus compress_uncompressed(Compression& compression) {
  compression.append(compression.image());
  return {};
}

}  // namespace parqproof
