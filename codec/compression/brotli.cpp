#include <brotli/decode.h>
#include <brotli/encode.h>

#include <bit>
#include <memory>

#include "codec/compression/codecs.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 16;

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
      if (const Status room = expansion.reserve(std::max(kStep, expansion.produced())); !room) return room;
    }
    // Where all that is claimed has come out, one more byte may prove the claim wrong.
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
  const std::span<const std::uint8_t> image = compression.image();
  const int reach = std::clamp<int>(static_cast<int>(std::bit_width(image.size())), BROTLI_MIN_WINDOW_BITS,
                                    BROTLI_MAX_WINDOW_BITS);
  const unsigned window = compression.options().window_log.value_or(static_cast<unsigned>(reach));
  if (window < BROTLI_MIN_WINDOW_BITS || window > BROTLI_MAX_WINDOW_BITS) {
    return std::unexpected("a window of BROTLI has 2^10 to 2^24 bytes");
  }
  const std::unique_ptr<BrotliEncoderState, decltype(&BrotliEncoderDestroyInstance)> state(
      BrotliEncoderCreateInstance(nullptr, nullptr, nullptr), &BrotliEncoderDestroyInstance);
  if (state == nullptr) return std::unexpected("no memory for the compressor");
  // As a stream: in one call the library takes a larger window than was asked for.
  BrotliEncoderSetParameter(state.get(), BROTLI_PARAM_QUALITY,
                            static_cast<std::uint32_t>(compression.level()));
  BrotliEncoderSetParameter(state.get(), BROTLI_PARAM_LGWIN, window);
  BrotliEncoderSetParameter(state.get(), BROTLI_PARAM_SIZE_HINT,
                            static_cast<std::uint32_t>(std::min<std::size_t>(image.size(), UINT32_MAX)));
  const std::uint8_t* in = image.data();
  std::size_t in_left = image.size();
  // Taken piece by piece: the library has no bound for what levels 0 and 1 write with a small window.
  while (BrotliEncoderIsFinished(state.get()) == BROTLI_FALSE) {
    std::size_t no_room = 0;
    if (BrotliEncoderCompressStream(state.get(), BROTLI_OPERATION_FINISH, &in_left, &in, &no_room, nullptr,
                                    nullptr) == BROTLI_FALSE) {
      return std::unexpected("the compression library refuses the image");
    }
    std::size_t size = 0;  // all that is there
    const std::uint8_t* const piece = BrotliEncoderTakeOutput(state.get(), &size);
    compression.append({piece, size});
  }
  return {};
}

}  // namespace parqproof
