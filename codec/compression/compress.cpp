#include "codec/compression/compress.hpp"

#include <cstddef>
#include <optional>

#include "codec/compression/table.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kLargestInWindows = std::size_t{1} << 18;  // bytes of an image

/// A level, and the window where it is not the usual one.
struct Attempt {
  int level = 0;
  std::optional<unsigned> window_log = {};
};

// What is tried for an image, as far as the options leave a choice.
std::vector<Attempt> attempts_for(const std::optional<CompressionLevels>& levels,
                                  std::span<const std::uint8_t> image, const CompressOptions& options) {
  if (!levels) return {{}};
  if (options.level) return {{*options.level, options.window_log}};
  std::vector<Attempt> attempts;
  for (const int level : levels->tried) attempts.push_back({level, options.window_log});
  if (options.window_log || image.size() > kLargestInWindows) return attempts;
  for (const unsigned window : levels->windows) {
    if (image.size() >> window == 0) break;
    for (const int level : levels->tried_in_windows) attempts.push_back({level, window});
  }
  return attempts;
}

}  // namespace

struct Compressor::State : CompressorState {};

Compressor::Compressor() : state_(std::make_unique<State>()) {}
Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;

CompressStatus Compressor::compress(CompressionCodec codec, std::span<const std::uint8_t> image,
                                    const CompressOptions& options, std::vector<std::uint8_t>& out) {
  const CompressionInfo* const row = find_compression(codec);
  if (row == nullptr) return std::unexpected("the specification defines no such codec");
  if (row->levels && options.level &&
      (*options.level < row->levels->least || *options.level > row->levels->most)) {
    return std::unexpected("the codec has no such level");
  }
  const std::size_t before = out.size();
  std::vector<std::uint8_t> stream;
  CompressOptions tried = options;
  bool first = true;
  for (const Attempt& attempt : attempts_for(row->levels, image, options)) {
    stream.clear();
    tried.window_log = attempt.window_log;
    Compression compression(image, tried, attempt.level, first ? out : stream);
    if (const CompressStatus done = row->compress(*state_, compression); !done) {
      out.resize(before);
      return done;
    }
    if (!first && stream.size() < out.size() - before) {
      out.resize(before);
      out.insert(out.end(), stream.begin(), stream.end());
    }
    first = false;
  }
  return {};
}

CompressStatus compress_uncompressed(Compression& compression) {
  compression.append(compression.image());
  return {};
}

}  // namespace parqproof
