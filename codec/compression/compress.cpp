#include "codec/compression/compress.hpp"

#include <array>

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
  constexpr std::array<int, 1> kNoLevel{};
  std::span<const int> levels = kNoLevel;
  if (row->levels) {
    if (options.level && (*options.level < row->levels->least || *options.level > row->levels->most)) {
      return std::unexpected("the codec has no such level");
    }
    levels = options.level ? std::span(&*options.level, 1) : row->levels->tried;
  }
  const std::size_t before = out.size();
  std::vector<std::uint8_t> attempt;
  for (const int level : levels) {
    const bool first = level == levels.front();
    attempt.clear();
    Compression compression(image, options, level, first ? out : attempt);
    if (const CompressStatus done = row->compress(*state_, compression); !done) {
      out.resize(before);
      return done;
    }
    if (!first && attempt.size() < out.size() - before) {
      out.resize(before);
      out.insert(out.end(), attempt.begin(), attempt.end());
    }
  }
  return {};
}

CompressStatus compress_uncompressed(Compression& compression) {
  compression.append(compression.image());
  return {};
}

}  // namespace parqproof
