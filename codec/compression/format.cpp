#include "codec/compression/format.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "codec/compression/blocks.hpp"

namespace parqproof {
namespace {

using enum StreamFormat;

struct Magic {
  StreamFormat format;
  std::string_view bytes;
};
constexpr std::array<Magic, 4> kMagics{{{gzip, "\x1F\x8B\x08"},
                                        {zstd, "\x28\xB5\x2F\xFD"},
                                        {lz4_frame, "\x04\x22\x4D\x18"},
                                        {snappy_framed, {"\xFF\x06\0\0sNaPpY", 10}}}};

constexpr int kZlibWindow = 15;      // max window, with a zlib header
constexpr int kDeflateWindow = -15;  // max window, without any header

// Returns true if the bytes are exactly one zlib stream that expands to `claimed` bytes.
bool inflates(View stored, int window, std::size_t claimed) noexcept {
  constexpr std::size_t kMax = std::numeric_limits<uInt>::max();
  z_stream stream{};
  if (stored.size() > kMax || inflateInit2(&stream, window) != Z_OK) return false;
  std::array<std::uint8_t, 4096> out{};
  stream.next_in = const_cast<Bytef*>(stored.data());  // NOLINT: zlib does not write there
  stream.avail_in = static_cast<uInt>(stored.size());
  std::size_t produced = 0;
  int result = Z_OK;
  while (result == Z_OK && produced <= claimed) {
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    result = inflate(&stream, Z_NO_FLUSH);
    produced += out.size() - stream.avail_out;
  }
  const bool complete = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return complete && produced == claimed;
}

bool gives(const std::optional<Extent>& extent, View stored, std::size_t claimed) noexcept {
  return extent && extent->produced == claimed && extent->used == stored.size();
}

}  // namespace

std::string_view to_string(StreamFormat format) noexcept {
  switch (format) {
    case gzip:
      return "gzip";
    case zlib:
      return "zlib";
    case deflate:
      return "bare deflate";
    case snappy:
      return "raw Snappy";
    case snappy_framed:
      return "framed Snappy";
    case zstd:
      return "Zstandard";
    case lz4_block:
      return "a bare LZ4 block";
    case lz4_frame:
      return "an LZ4 frame";
    case lz4_hadoop:
      return "LZ4 in Hadoop's blocks";
    case unknown:
      break;
  }
  return "an unknown format";
}

bool belongs(StreamFormat format, CompressionCodec codec) noexcept {
  switch (codec) {
    case CompressionCodec::SNAPPY:
      return format == snappy;
    case CompressionCodec::GZIP:
      return format == gzip;
    case CompressionCodec::ZSTD:
      return format == zstd;
    case CompressionCodec::LZ4_RAW:
      return format == lz4_block;
    case CompressionCodec::LZ4:
      return format == lz4_block || format == lz4_frame || format == lz4_hadoop;
    default:
      return false;
  }
}

StreamFormat identify(View stored, std::size_t claimed) noexcept {
  const std::string_view text = text_of(stored);
  const auto* const marked =
      std::ranges::find_if(kMagics, [&](const Magic& magic) { return text.starts_with(magic.bytes); });
  if (marked != kMagics.end()) return marked->format;
  if (claimed == 0) return unknown;  // too little evidence
  if (inflates(stored, kZlibWindow, claimed)) return zlib;
  if (inflates(stored, kDeflateWindow, claimed)) return deflate;
  if (gives(measure_snappy(stored), stored, claimed)) return snappy;
  if (gives(measure_lz4_hadoop(stored), stored, claimed)) return lz4_hadoop;
  return unknown;
}

}  // namespace parqproof
