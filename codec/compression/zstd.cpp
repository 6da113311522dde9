#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <optional>

#include "codec/base/bits.hpp"
#include "codec/compression/codecs.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kMagic = 0xFD2FB528;
constexpr std::uint32_t kSkippableMagic = 0x184D2A50;  // the low four bits are arbitrary
constexpr std::size_t kFirstRoom = std::size_t{1} << 18;
constexpr std::size_t kLikelyExpansion = 16;
constexpr std::uint64_t kMaxBlockBytes = ZSTD_BLOCKSIZE_MAX;    // 128 KiB
constexpr unsigned kMinWindow = 10;                             // min of the format
constexpr unsigned kWindowShift = 3;                            // position of the exponent in the window byte
constexpr std::size_t kDescriptor = 4, kWindow = 5;             // their offsets in a frame
constexpr unsigned kSingleSegment = 0x20, kHasChecksum = 0x04;  // bits of the descriptor
constexpr unsigned kMaxWindow = 27;                             // max that decompressors accept by default
constexpr std::uint64_t kUsualWindow = std::uint64_t{1} << kMaxWindow;

bool is_skippable(std::uint32_t magic) noexcept { return (magic & ~0xFU) == kSkippableMagic; }

bool is_frame(View bytes) noexcept {
  if (bytes.size() < sizeof kMagic) return false;
  const auto magic = load_le<std::uint32_t>(bytes.data());
  return magic == kMagic || is_skippable(magic);
}

// Returns the bytes of the skippable frame that begins here; 0 if it is truncated.
std::size_t skippable_size(View rest) noexcept {
  constexpr std::size_t kHeader = 8;
  if (rest.size() < kHeader) return 0;
  const auto size = load_le<std::uint32_t>(rest.data() + 4);
  return size <= rest.size() - kHeader ? kHeader + size : 0;
}

// Returns the window size in the frame header; 0 if it has none, because the window is the content.
std::uint64_t stated_window(View frame) noexcept {
  if ((frame.bytes[kDescriptor] & kSingleSegment) != 0) return 0;
  const std::uint8_t byte = frame.bytes[kWindow];
  const std::uint64_t base = std::uint64_t{1} << (kMinWindow + (byte >> kWindowShift));
  return base + base / 8 * (byte & 7U);
}

// Returns the bytes of the frame that begins here, block by block. Returns 0 if it is truncated, or if a
// block has the reserved type or exceeds the window or 128 KiB (RFC 8878, 3.1.1.2.4), which the library
// checks only for frames that are passed in parts.
std::size_t frame_size(View rest) noexcept {
  constexpr std::size_t kDictionaryBytes[] = {0, 1, 2, 4};
  constexpr std::size_t kContentBytes[] = {0, 2, 4, 8};
  constexpr std::size_t kBlockHeader = 3;
  constexpr std::size_t kChecksum = 4;
  enum : std::uint32_t { kRaw, kRepeated, kCompressed, kReserved };
  if (rest.size() <= kWindow) return 0;
  const unsigned descriptor = rest.bytes[kDescriptor];
  std::uint64_t window = stated_window(rest);
  const bool single = window == 0;
  const std::size_t content = kWindow + (single ? 0 : 1) + kDictionaryBytes[descriptor & 3];
  const std::size_t content_bytes = single && descriptor >> 6 == 0 ? 1 : kContentBytes[descriptor >> 6];
  std::size_t at = content + content_bytes;
  if (rest.size() < at) return 0;
  if (single) {
    for (std::size_t i = 0; i < content_bytes; ++i) window |= std::uint64_t{rest.bytes[content + i]} << 8 * i;
    if (content_bytes == 2) window += 256;
  }
  const std::uint64_t largest = std::min(window, kMaxBlockBytes);
  for (bool last = false; !last;) {
    if (rest.size() - at < kBlockHeader) return 0;
    const std::uint32_t header = load_le<std::uint16_t>(rest.data() + at) | std::uint32_t{rest.bytes[at + 2]}
                                                                                << 16;
    at += kBlockHeader;
    const std::uint32_t type = header >> 1 & 3;
    const std::size_t size = header >> 3;
    if (type == kReserved || size > (type == kCompressed ? kMaxBlockBytes : largest)) return 0;
    const std::size_t bytes = type == kRepeated ? 1 : size;
    if (rest.size() - at < bytes) return 0;
    at += bytes;
    last = (header & 1) != 0;
  }
  if ((descriptor & kHasChecksum) != 0) at += kChecksum;
  return at <= rest.size() ? at : 0;
}

// Replaces a window that is too large for the library by its max. That is safe, because no match reaches back
// farther than the image, which is smaller. `copy` contains the modified frame.
View with_usual_window(View frame, std::vector<std::uint8_t>& copy) {
  static const unsigned most = static_cast<unsigned>(ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
  if (stated_window(frame) >> most <= 1) return frame;  // below 2^(most + 1)
  copy.assign(frame.bytes.begin(), frame.bytes.end());
  copy[kWindow] = static_cast<std::uint8_t>((most - kMinWindow) << kWindowShift);
  return {copy, frame.base, frame.space};
}

// Expands one frame. If the room is too small, starts again with four times as much.
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
  std::optional<View> surplus;  // the second frame, or the first skippable one
  std::vector<std::uint8_t> copy;
  while (is_frame(stored.from(position))) {
    const View rest = stored.from(position);
    const bool skippable = is_skippable(load_le<std::uint32_t>(rest.data()));
    const std::size_t size = skippable ? skippable_size(rest) : frame_size(rest);
    if (size == 0) return expansion.refused();
    if (!skippable) {
      const View frame = with_usual_window(rest.part(0, size), copy);
      if (const Status done = expand_frame(context, frame, expansion); !done) return done;
      // compression/zstd-window
      const std::uint64_t window = stated_window(rest);
      if (window > kUsualWindow)
        expansion.note(Rule::compression_zstd_window, position + kWindow, 1, window, kUsualWindow);
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
  if (options.window_log && (*options.window_log < kMinWindow || *options.window_log > kMaxWindow)) {
    return std::unexpected("a window of ZSTD has 2^10 to 2^27 bytes");
  }
  if (context_ == nullptr) context_ = ZSTD_createCCtx();
  auto* const context = static_cast<ZSTD_CCtx*>(context_);
  if (context == nullptr) return std::unexpected("no memory for the compressor");
  // A window of 0 selects that of the level. The values set here are in range.
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, compression.level());
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, static_cast<int>(options.window_log.value_or(0)));
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, options.content_size ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, options.checksum ? 1 : 0);
  if (options.skippable_bytes) {
    compression.append_number(kSkippableMagic, sizeof kSkippableMagic);
    compression.append_number(*options.skippable_bytes, sizeof *options.skippable_bytes);
    compression.append_zeros(*options.skippable_bytes);
  }
  return compression.for_each_piece([&](std::span<const std::uint8_t> piece) {
    return compression.append_written(ZSTD_compressBound(piece.size()), [&](auto room) {
      const std::size_t size = ZSTD_compress2(context, room.data(), room.size(), piece.data(), piece.size());
      return ZSTD_isError(size) ? 0 : size;
    });
  });
}

}  // namespace parqproof
