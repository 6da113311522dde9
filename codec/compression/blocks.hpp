#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "codec/compression/codecs.hpp"

namespace parqproof {

/// Sizes of a compressed stream: the bytes it expands to and the bytes it occupies.
struct Extent {
  std::size_t produced = 0;
  std::size_t used = 0;
};

/// A format of compressed blocks. measure() walks over the first block without output, so that memory is
/// allocated only for the actual size; nullopt if the bytes are not a block.
struct BlockFormat {
  std::optional<Extent> (*measure)(View bytes) noexcept;
  /// Expands a measured block to exactly `size` bytes at `out`.
  bool (*expand)(View block, std::uint8_t* out, std::size_t size) noexcept;
};

/// Hadoop's framing: blocks of an expanded size (big-endian, four bytes), then parts of a stored size (same
/// form) and their bytes, until the expanded size is complete. An empty block has one empty part; the last
/// block may also have none.
template <const BlockFormat& Format>
struct Hadoop {
  template <typename Use>
  static bool for_each_part(View bytes, Use use) noexcept;
  static std::optional<Extent> measure(View bytes) noexcept;
  static bool expand(View bytes, std::uint8_t* out, std::size_t size) noexcept;
  static constexpr BlockFormat kFormat{&measure, &expand};
};

/// Loads a big-endian number of four bytes.
[[nodiscard]] inline std::uint32_t load_be32(const std::uint8_t* bytes) noexcept {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

/// Calls use(part, extent, output) for each part. Returns false if the framing is invalid or a use() returned
/// false.
template <const BlockFormat& Format>
template <typename Use>
bool Hadoop<Format>::for_each_part(View bytes, Use use) noexcept {
  constexpr std::size_t kSize = 4;
  std::size_t at = 0;
  std::size_t produced = 0;
  while (at < bytes.size()) {
    if (bytes.size() - at < kSize) return false;
    std::uint64_t left = load_be32(bytes.data() + at);
    at += kSize;
    if (left == 0 && at == bytes.size()) return true;  // an empty block without a part
    do {
      if (bytes.size() - at < kSize) return false;
      const std::size_t size = load_be32(bytes.data() + at);
      at += kSize;
      if (size > bytes.size() - at) return false;
      const View part = bytes.part(at, size);
      const std::optional<Extent> extent = Format.measure(part);
      if (!extent || extent->used != size || extent->produced > left) return false;
      if (extent->produced == 0 && left != 0) return false;
      if (!use(part, *extent, produced)) return false;
      produced += extent->produced;
      left -= extent->produced;
      at += size;
    } while (left != 0);
  }
  return true;
}

template <const BlockFormat& Format>
std::optional<Extent> Hadoop<Format>::measure(View bytes) noexcept {
  Extent total{0, bytes.size()};
  const bool holds = for_each_part(bytes, [&](View /*part*/, const Extent& extent, std::size_t /*start*/) {
    total.produced += extent.produced;
    return true;
  });
  if (bytes.empty() || !holds) return std::nullopt;
  return total;
}

template <const BlockFormat& Format>
bool Hadoop<Format>::expand(View bytes, std::uint8_t* out, std::size_t /*size*/) noexcept {
  return for_each_part(bytes, [&](View part, const Extent& extent, std::size_t start) {
    return Format.expand(part, out + start, extent.produced);
  });
}

/// Measure streams that contain their expanded size: raw Snappy, and LZ4 in Hadoop's blocks.
[[nodiscard]] std::optional<Extent> measure_snappy(View bytes) noexcept;
[[nodiscard]] std::optional<Extent> measure_lz4_hadoop(View bytes) noexcept;

/// Expands what `format` has measured. Bytes after the stream are noted as compression/trailing-bytes.
[[nodiscard]] inline Status expand_measured(Expansion& expansion, const BlockFormat& format,
                                            const Extent& extent) {
  const View stored = expansion.stored();
  if (extent.produced > expansion.claimed()) return expansion.too_long(extent.produced);
  if (const Status room = expansion.reserve(extent.produced); !room) return room;
  if (!format.expand(stored.part(0, extent.used), expansion.next(), extent.produced))
    return expansion.refused();
  expansion.advance(extent.produced);
  // compression/trailing-bytes
  if (extent.used < stored.size()) expansion.note_trailing(extent.used);
  return {};
}

}  // namespace parqproof
