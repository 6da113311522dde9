#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>

#include <array>
#include <memory>

#include "codec/base/bits.hpp"
#include "codec/compression/blocks.hpp"
#include "codec/compression/codecs.hpp"
#include "codec/compression/format.hpp"
#include "codec/compression/lz4_block.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kFrameMagic = 0x184D2204;
// Flag of uncompressed blocks in the block size of a frame.
constexpr std::uint32_t kStoredBlock = 0x80000000;

// Returns the size to which a block expands by its tokens. Matches may reach into `history` bytes before it.
std::optional<std::size_t> expanded_size(View block, std::size_t history) noexcept {
  std::size_t at = 0;
  std::size_t produced = 0;
  const auto read_length = [&](std::size_t& length) {
    if (length != kLz4LongLength) return true;
    for (std::uint8_t more = 255; more == 255; length += more) {
      if (at == block.size()) return false;
      more = block.bytes[at++];
    }
    return true;
  };
  while (at < block.size()) {
    const unsigned token = block.bytes[at++];
    std::size_t literals = token >> 4;
    if (!read_length(literals) || literals > block.size() - at) return std::nullopt;
    at += literals;
    produced += literals;
    if (at == block.size()) return produced;  // the last sequence has no match
    if (block.size() - at < 2) return std::nullopt;
    const std::size_t distance = load_le<std::uint16_t>(block.data() + at);
    at += 2;
    std::size_t match = token & 15U;
    if (distance == 0 || distance > history + produced || !read_length(match)) return std::nullopt;
    produced += match + kLz4MinMatchBytes;
  }
  return std::nullopt;
}

std::optional<Extent> measure_block(View bytes) noexcept {
  const std::optional<std::size_t> size = expanded_size(bytes, 0);
  if (!size || *size > INT32_MAX || bytes.size() > INT32_MAX) return std::nullopt;
  return Extent{*size, bytes.size()};
}

bool expand_block(View block, std::uint8_t* out, std::size_t size) noexcept {
  return LZ4_decompress_safe(chars(block.data()), reinterpret_cast<char*>(out),
                             static_cast<int>(block.size()),
                             static_cast<int>(size)) == static_cast<int>(size);
}

// Measures one LZ4 frame, the layout that old versions of one writer used.
std::optional<Extent> measure_frame(View bytes) noexcept {
  constexpr std::size_t kMinHeaderBytes = 7;  // magic, flags, block size, checksum
  if (bytes.size() < kMinHeaderBytes || load_le<std::uint32_t>(bytes.data()) != kFrameMagic)
    return std::nullopt;
  const unsigned flags = bytes.bytes[4];
  const std::size_t block_checksum = (flags & 0x10U) != 0 ? 4 : 0;
  const std::size_t content_checksum = (flags & 0x04U) != 0 ? 4 : 0;
  std::size_t at = kMinHeaderBytes + ((flags & 0x08U) != 0 ? 8U : 0U) + ((flags & 0x01U) != 0 ? 4U : 0U);
  Extent extent;
  for (;;) {
    if (at > bytes.size() || bytes.size() - at < 4) return std::nullopt;
    const auto word = load_le<std::uint32_t>(bytes.data() + at);
    at += 4;
    if (word == 0) break;
    const std::size_t size = word & ~kStoredBlock;
    if (size + block_checksum > bytes.size() - at) return std::nullopt;
    const std::optional<std::size_t> produced =
        (word & kStoredBlock) != 0 ? size : expanded_size(bytes.part(at, size), extent.produced);
    if (!produced) return std::nullopt;
    extent.produced += *produced;
    at += size + block_checksum;
  }
  if (bytes.size() - at < content_checksum) return std::nullopt;
  extent.used = at + content_checksum;
  return extent;
}

bool expand_frame(View frame, std::uint8_t* out, std::size_t size) noexcept {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0U) return false;
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> owner(
      context, &LZ4F_freeDecompressionContext);
  std::size_t used = 0;
  std::size_t produced = 0;
  for (;;) {
    std::size_t in = frame.size() - used;
    std::size_t room = size - produced;
    const std::size_t hint =
        LZ4F_decompress(context, out + produced, &room, frame.data() + used, &in, nullptr);
    if (LZ4F_isError(hint) != 0U) return false;
    used += in;
    produced += room;
    if (hint == 0) return used == frame.size() && produced == size;
    if (in == 0 && room == 0) return false;
  }
}

// Levels of the high-compression compressor begin here; lower ones select the fast compressor.
constexpr int kMinSmallLevel = LZ4HC_CLEVEL_MIN;

// The max size of a block in a frame is 2^16, 2^18, 2^20 or 2^22 bytes.
constexpr unsigned kMinFrameBlock = 16;
constexpr unsigned kMaxFrameBlock = 22;

// Appends the output of the library, or returns its error.
template <typename Write>
CompressStatus append_frame_part(Compression& compression, std::size_t most, Write write) {
  return compression.append_written(most, [&](auto room) -> std::size_t {
    const std::size_t size = write(room.data(), room.size());
    return LZ4F_isError(size) != 0U ? 0 : size;
  });
}

CompressStatus append_frame(Compression& compression) {
  const CompressOptions& options = compression.options();
  std::span<const std::uint8_t> rest = compression.image();
  if (options.block_size == 0U) return std::unexpected("a block has at least one byte");
  const unsigned most_log = options.frame_block_log.value_or(kMaxFrameBlock);
  if (most_log < kMinFrameBlock || most_log > kMaxFrameBlock || most_log % 2 != 0)
    return std::unexpected("a block of an LZ4 frame has at most 2^16, 2^18, 2^20 or 2^22 bytes");
  const std::size_t block_size =
      std::min<std::size_t>(options.block_size.value_or(UINT32_MAX), std::size_t{1} << most_log);
  unsigned log = options.frame_block_log.value_or(kMinFrameBlock);
  while (std::size_t{1} << log < std::min(block_size, rest.size())) log += 2;

  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID =
      static_cast<LZ4F_blockSizeID_t>(LZ4F_max64KB + (log - kMinFrameBlock) / 2);
  preferences.frameInfo.blockMode =
      options.linked_blocks.value_or(rest.size() > block_size) ? LZ4F_blockLinked : LZ4F_blockIndependent;
  if (options.block_checksum) preferences.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled;
  if (options.content_size) preferences.frameInfo.contentSize = rest.size();
  if (options.checksum) preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  preferences.compressionLevel = compression.level();
  preferences.autoFlush = 1;  // a block for each update

  LZ4F_cctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createCompressionContext(&context, LZ4F_VERSION)) != 0U)
    return std::unexpected("no memory for the compressor");
  const std::unique_ptr<LZ4F_cctx, decltype(&LZ4F_freeCompressionContext)> owner(
      context, &LZ4F_freeCompressionContext);
  LZ4F_compressOptions_t stable{};
  stable.stableSrc = 1;  // the image is not moved
  CompressStatus written =
      append_frame_part(compression, LZ4F_HEADER_SIZE_MAX, [&](std::uint8_t* out, std::size_t most) {
        return LZ4F_compressBegin(context, out, most, &preferences);
      });
  while (written && !rest.empty()) {
    const auto block = rest.first(std::min(block_size, rest.size()));
    rest = rest.subspan(block.size());
    written = append_frame_part(compression, LZ4F_compressBound(block.size(), &preferences),
                                [&](std::uint8_t* out, std::size_t most) {
                                  return LZ4F_compressUpdate(context, out, most, block.data(), block.size(),
                                                             &stable);
                                });
  }
  if (!written) return written;
  return append_frame_part(
      compression, LZ4F_compressBound(0, &preferences),
      [&](std::uint8_t* out, std::size_t most) { return LZ4F_compressEnd(context, out, most, &stable); });
}

constexpr BlockFormat kBlock{&measure_block, &expand_block};
constexpr BlockFormat kFrame{&measure_frame, &expand_frame};

}  // namespace

// A valid block of the claimed size takes a single pass. Memory is allocated for the claimed size, unless
// that is many times the stored size; all other blocks are measured first.
Status expand_lz4_raw(Expansion& expansion) {
  constexpr std::size_t kUsualRatio = 16;
  const View stored = expansion.stored();
  const std::size_t claimed = expansion.claimed();
  if (claimed <= INT32_MAX && stored.size() <= INT32_MAX && claimed / kUsualRatio <= stored.size()) {
    if (const Status room = expansion.reserve(claimed); !room) return room;
    if (expand_sound_lz4_block(stored, expansion.next(), claimed)) {
      expansion.advance(claimed);
      return {};
    }
  }
  const std::optional<Extent> extent = measure_block(stored);
  return extent ? expand_measured(expansion, kBlock, *extent) : expansion.refused();
}

std::optional<Extent> measure_lz4_hadoop(View bytes) noexcept { return Hadoop<kBlock>::measure(bytes); }

// The deprecated codec: three layouts are in use, and no field of a file states which.
Status expand_lz4(Expansion& expansion) {
  struct Layout {
    StreamFormat format;
    BlockFormat blocks;
  };
  static constexpr std::array<Layout, 3> kLayouts{{{StreamFormat::lz4_hadoop, Hadoop<kBlock>::kFormat},
                                                   {StreamFormat::lz4_block, kBlock},
                                                   {StreamFormat::lz4_frame, kFrame}}};
  const View stored = expansion.stored();
  const Layout* fitting = nullptr;
  std::optional<Extent> taken;
  for (const Layout& layout : kLayouts) {
    const std::optional<Extent> extent = layout.blocks.measure(stored);
    if (!extent || extent->used != stored.size()) continue;
    const bool exact = extent->produced == expansion.claimed();
    if (fitting == nullptr || exact) {
      fitting = &layout;
      taken = extent;
    }
    if (exact) break;
  }
  if (fitting == nullptr) return expansion.refused();
  const Status expanded = expand_measured(expansion, fitting->blocks, *taken);
  const auto found = static_cast<unsigned>(fitting->format);
  const auto expected = static_cast<unsigned>(StreamFormat::lz4_hadoop);
  if (!expanded || fitting->format == StreamFormat::lz4_hadoop) return expanded;
  if (fitting->format == StreamFormat::lz4_frame) {
    expansion.note(Rule::compression_lz4_frame, 0, stored.size(), found, expected);
  } else {
    expansion.note(Rule::compression_lz4_layout, 0, stored.size(), found, expected);
  }
  return expanded;
}

CompressStatus Lz4Compressor::append_block(Compression& compression, std::span<const std::uint8_t> bytes) {
  if (bytes.size() > LZ4_MAX_INPUT_SIZE) {
    return std::unexpected("an LZ4 block holds at most 2113929216 bytes");
  }
  const bool small = compression.level() >= kMinSmallLevel;
  std::vector<std::uint64_t>& state = small ? small_ : fast_;
  const auto state_size = static_cast<std::size_t>(small ? LZ4_sizeofStateHC() : LZ4_sizeofState());
  state.resize((state_size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  const int size = static_cast<int>(bytes.size());
  // The library computes addresses in the input, even if it is empty.
  const char* const in = bytes.empty() ? "" : chars(bytes.data());
  return compression.append_written(static_cast<std::size_t>(LZ4_compressBound(size)), [&](auto room) {
    char* const out = reinterpret_cast<char*>(room.data());
    const int most = static_cast<int>(room.size());
    return static_cast<std::size_t>(
        small ? LZ4_compress_HC_extStateHC(state.data(), in, out, size, most, compression.level())
              : LZ4_compress_fast_extState(state.data(), in, out, size, most, 1));
  });
}

CompressStatus Lz4Compressor::compress_raw(Compression& compression) {
  return append_block(compression, compression.image());
}

CompressStatus Lz4Compressor::compress(Compression& compression) {
  switch (compression.options().layout) {
    case CompressOptions::Layout::hadoop:
      return compression.append_blocks(LZ4_MAX_INPUT_SIZE,
                                       [&](auto bytes) { return append_block(compression, bytes); });
    case CompressOptions::Layout::bare:
      return append_block(compression, compression.image());
    case CompressOptions::Layout::frame:
      break;
  }
  return append_frame(compression);
}

}  // namespace parqproof
