#include <zstd.h>
#include <zstd_errors.h>

#include <optional>

#include "codec/base/bits.hpp"
#include "codec/compression/codecs.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kMagic = 0xFD2FB528;
constexpr std::uint32_t kSkippableMagic = 0x184D2A50;  // the last four bits are free
constexpr std::size_t kFirstRoom = std::size_t{1} << 18;
constexpr std::size_t kLikelyExpansion = 16;
constexpr unsigned kLeastWindow = 10;  // the least of the format
constexpr unsigned kMostWindow = 27;   // the most that decompressors take unless they are told otherwise

bool is_skippable(std::uint32_t magic) noexcept { return (magic & ~0xFU) == kSkippableMagic; }

bool is_frame(View bytes) noexcept {
  if (bytes.size() < sizeof kMagic) return false;
  const auto magic = load_le<std::uint32_t>(bytes.data());
  return magic == kMagic || is_skippable(magic);
}

// Expands one frame. A frame that needs more room than there is starts anew with four times as much.
Status expand_frame(ZSTD_DCtx* context, View frame, Expansion& expansion) {
  for (std::size_t room = kFirstRoom + frame.size() * kLikelyExpansion;; room *= 4) {
    if (const Status reserved = expansion.reserve(room); !reserved) return reserved;
    const std::size_t produced =
        ZSTD_decompressDCtx(context, expansion.next(), expansion.room(), frame.data(), frame.size());
    if (!ZSTD_isError(produced)) {
      expansion.advance(produced);
      return {};
    }
    if (ZSTD_getErrorCode(produced) != ZSTD_error_dstSize_tooSmall) return expansion.refused();
    if (expansion.full()) return expansion.too_long(expansion.produced() + expansion.claimed() + 1);
  }
}

}  // namespace

ZstdDecompressor::~ZstdDecompressor() { ZSTD_freeDCtx(static_cast<ZSTD_DCtx*>(context_)); }

Status ZstdDecompressor::expand(Expansion& expansion) {
  if (context_ == nullptr) context_ = ZSTD_createDCtx();
  auto* context = static_cast<ZSTD_DCtx*>(context_);
  const View stored = expansion.stored();
  if (context == nullptr || !is_frame(stored)) return expansion.refused();
  std::size_t position = 0;
  std::uint64_t frames = 0;
  std::optional<View> surplus;  // the second frame, or the first that is skippable
  while (is_frame(stored.from(position))) {
    const View rest = stored.from(position);
    const std::size_t size = ZSTD_findFrameCompressedSize(rest.data(), rest.size());
    if (ZSTD_isError(size)) return expansion.refused();
    const bool skippable = is_skippable(load_le<std::uint32_t>(rest.data()));
    if (!skippable) {
      if (const Status done = expand_frame(context, rest.part(0, size), expansion); !done) return done;
    }
    if (++frames == 2 || skippable) surplus = surplus.value_or(rest.part(0, size));
    position += size;
  }
  // compression/zstd-frames
  if (surplus)
    expansion.note(Rule::compression_zstd_frames, surplus->base - stored.base, surplus->size(), frames, 1);
  // compression/trailing-bytes
  if (position < stored.size()) expansion.note_trailing(position);
  return {};
}

ZstdCompressor::~ZstdCompressor() { ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(context_)); }

CompressStatus ZstdCompressor::compress(Compression& compression) {
  const CompressOptions& options = compression.options();
  if (options.window_log && (*options.window_log < kLeastWindow || *options.window_log > kMostWindow)) {
    return std::unexpected("a window of ZSTD has 2^10 to 2^27 bytes");
  }
  if (context_ == nullptr) context_ = ZSTD_createCCtx();
  auto* const context = static_cast<ZSTD_CCtx*>(context_);
  if (context == nullptr) return std::unexpected("no memory for the compressor");
  // A window of 0 is the one of the level. What is set here is in range.
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, compression.level());
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, static_cast<int>(options.window_log.value_or(0)));
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, options.content_size ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, options.checksum ? 1 : 0);
  return compression.for_each_piece([&](std::span<const std::uint8_t> piece) {
    return compression.append_written(ZSTD_compressBound(piece.size()), [&](auto room) {
      const std::size_t size = ZSTD_compress2(context, room.data(), room.size(), piece.data(), piece.size());
      return ZSTD_isError(size) ? 0 : size;
    });
  });
}

}  // namespace parqproof
