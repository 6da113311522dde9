#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "codec/compression/codecs.hpp"

namespace parqproof {

/// A stream before it is expanded: how many bytes come out, and how many go in.
struct Extent {
  std::size_t produced = 0;
  std::size_t used = 0;
};

/// A format of compressed blocks. measure() walks over the first block without producing anything, so that
/// room is made for what really comes out; nothing where the bytes are no block.
struct BlockFormat {
  std::optional<Extent> (*measure)(View bytes) noexcept;
  /// Expands a block that has been measured to exactly `size` bytes at `out`.
  bool (*expand)(View block, std::uint8_t* out, std::size_t size) noexcept;
};

/// Hadoop's framing: blocks of a size expanded (big-endian, four bytes), then parts of a size stored
/// (likewise) and their bytes, until the expanded size is met. A block of nothing has one empty part, or, as
/// the last one, none.
template <const BlockFormat& Format>
struct Hadoop {
  template <typename Use>
  static bool for_each_part(View bytes, Use use) noexcept;
  static std::optional<Extent> measure(View bytes) noexcept;
  static bool expand(View bytes, std::uint8_t* out, std::size_t size) noexcept;
  static constexpr BlockFormat kFormat{&measure, &expand};
};

/// Big-endian number of four bytes.
[[nodiscard]] inline std::uint32_t load_be32(const std::uint8_t* bytes) noexcept {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

/// Calls use(part, extent, where it goes) for each part; whether the framing holds and every use() was true.
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
    if (left == 0 && at == bytes.size()) return true;  // nothing, and no part to hold it
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
  Extent whole{0, bytes.size()};
  const bool holds = for_each_part(bytes, [&](View /*part*/, const Extent& extent, std::size_t /*start*/) {
    whole.produced += extent.produced;
    return true;
  });
  if (bytes.empty() || !holds) return std::nullopt;
  return whole;
}

template <const BlockFormat& Format>
bool Hadoop<Format>::expand(View bytes, std::uint8_t* out, std::size_t /*size*/) noexcept {
  return for_each_part(bytes, [&](View part, const Extent& extent, std::size_t start) {
    return Format.expand(part, out + start, extent.produced);
  });
}

/// The formats that say how much they expand to: raw Snappy, and LZ4 in Hadoop's blocks.
[[nodiscard]] std::optional<Extent> measure_snappy(View bytes) noexcept;
[[nodiscard]] std::optional<Extent> measure_lz4_hadoop(View bytes) noexcept;

/// Expands what `format` has measured into an Expansion; bytes behind it are noted as
/// compression/trailing-bytes.
[[nodiscard]] Status expand_measured(Expansion& expansion, const BlockFormat& format, const Extent& extent);

}  // namespace parqproof
