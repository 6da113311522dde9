#include <brotli/decode.h>
#include <brotli/encode.h>

#include <bit>
#include <memory>

#include "codec/compression/codecs.hpp"

namespace parqproof {
namespace {

constexpr unsigned kMaxPostfixBits = 3;
constexpr unsigned kMaxDirectDistances = 15;  // for each value of the postfix
constexpr std::uint32_t kMaxSkippableBytes = std::uint32_t{1} << 24;

using Encoder = std::unique_ptr<BrotliEncoderState, decltype(&BrotliEncoderDestroyInstance)>;

// Appends the encoder's output for some more bytes. The size is not predicted: the library has no bound for
// levels 0 and 1 with a small window.
CompressStatus append_operation(Compression& compression, const Encoder& encoder,
                                BrotliEncoderOperation operation, std::span<const std::uint8_t> bytes) {
  const std::uint8_t* in = bytes.data();
  std::size_t in_left = bytes.size();
  for (;;) {
    std::size_t no_room = 0;
    if (BrotliEncoderCompressStream(encoder.get(), operation, &in_left, &in, &no_room, nullptr, nullptr) ==
        BROTLI_FALSE) {
      return std::unexpected("the compression library rejects the image");
    }
    std::size_t size = 0;  // take all available output
    const std::uint8_t* const out = BrotliEncoderTakeOutput(encoder.get(), &size);
    if (size == 0 && in_left == 0) break;
    compression.append({out, size});
  }
  return {};
}

CompressStatus append_metadata(Compression& compression, const Encoder& encoder, std::size_t size) {
  // The library cannot write a metadata block of one byte. Its empty metadata block ends at a byte boundary,
  // so a metadata block of one byte can follow it.
  static constexpr std::uint8_t kOneByte[] = {0b0001'0110, 0, 0};
  const std::vector<std::uint8_t> zeros(size == 1 ? 0 : size);
  const auto done = append_operation(compression, encoder, BROTLI_OPERATION_EMIT_METADATA, zeros);
  if (done && size == 1) compression.append(kOneByte);
  return done;
}

CompressStatus append_stream(Compression& compression, unsigned window) {
  const CompressOptions& options = compression.options();
  const std::size_t size = compression.image().size();
  const Encoder encoder(BrotliEncoderCreateInstance(nullptr, nullptr, nullptr),
                        &BrotliEncoderDestroyInstance);
  if (encoder == nullptr) return std::unexpected("no memory for the compressor");
  // Used as a stream, because a single call of the library may choose a larger window than requested.
  BrotliEncoderSetParameter(encoder.get(), BROTLI_PARAM_QUALITY,
                            static_cast<std::uint32_t>(compression.level()));
  BrotliEncoderSetParameter(encoder.get(), BROTLI_PARAM_LGWIN, window);
  BrotliEncoderSetParameter(encoder.get(), BROTLI_PARAM_SIZE_HINT,
                            static_cast<std::uint32_t>(std::min<std::size_t>(size, UINT32_MAX)));
  BrotliEncoderSetParameter(encoder.get(), BROTLI_PARAM_NPOSTFIX, options.postfix_bits);
  BrotliEncoderSetParameter(encoder.get(), BROTLI_PARAM_NDIRECT, options.direct_distances);
  if (options.skippable_bytes) {
    if (const CompressStatus done = append_metadata(compression, encoder, *options.skippable_bytes); !done)
      return done;
  }
  std::uint32_t number = 0;
  return compression.for_each_piece([&](std::span<const std::uint8_t> piece) {
    const bool last = ++number == options.pieces;
    return append_operation(compression, encoder, last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH,
                            piece);
  });
}

}  // namespace

Status expand_brotli(Expansion& expansion) {
  const std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)> state(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), &BrotliDecoderDestroyInstance);
  if (state == nullptr) return expansion.refused();
  const View stored = expansion.stored();
  const std::uint8_t* in = stored.data();
  std::size_t in_left = stored.size();
  for (;;) {
    if (expansion.room() == 0) {
      if (const Status room = expansion.reserve_more(); !room) return room;
    }
    // When the claimed size is complete, one more byte proves it too small.
    std::uint8_t beyond = 0;
    const bool full = expansion.room() == 0;
    std::uint8_t* out = full ? &beyond : expansion.next();
    const std::size_t room = full ? 1 : expansion.room();
    std::size_t out_left = room;
    const BrotliDecoderResult result =
        BrotliDecoderDecompressStream(state.get(), &in_left, &in, &out_left, &out, nullptr);
    const std::size_t produced = room - out_left;
    if (full && produced != 0) return expansion.too_long(expansion.produced() + 1);
    if (!full) expansion.advance(produced);
    if (result == BROTLI_DECODER_RESULT_SUCCESS) break;
    if (result != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) return expansion.refused();
  }
  // compression/trailing-bytes
  if (in_left != 0) expansion.note_trailing(stored.size() - in_left);
  return {};
}

CompressStatus compress_brotli(Compression& compression) {
  const CompressOptions& options = compression.options();
  const std::size_t size = compression.image().size();
  const int reach =
      std::clamp<int>(static_cast<int>(std::bit_width(size)), BROTLI_MIN_WINDOW_BITS, BROTLI_MAX_WINDOW_BITS);
  const unsigned window = options.window_log.value_or(static_cast<unsigned>(reach));
  if (window < BROTLI_MIN_WINDOW_BITS || window > BROTLI_MAX_WINDOW_BITS) {
    return std::unexpected("a window of BROTLI has 2^10 to 2^24 bytes");
  }
  if (options.postfix_bits > kMaxPostfixBits)
    return std::unexpected("distances of BROTLI have at most 3 postfix bits");
  if (options.direct_distances % (1U << options.postfix_bits) != 0 ||
      options.direct_distances >> options.postfix_bits > kMaxDirectDistances) {
    return std::unexpected("BROTLI has 0 to 15 direct distances for each postfix");
  }
  if (options.skippable_bytes > kMaxSkippableBytes)
    return std::unexpected("a metadata block of BROTLI has at most 2^24 bytes");
  return append_stream(compression, window);
}

}  // namespace parqproof
