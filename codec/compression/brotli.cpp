#include <brotli/decode.h>

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

}  // namespace parqproof
