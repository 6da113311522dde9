#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/format/enums.hpp"
#include "codec/rules/notes.hpp"

namespace parqproof {

/// Returns true if `codec` is in the table of compression codecs, false for an undefined number.
[[nodiscard]] bool can_decompress(CompressionCodec codec) noexcept;

/// Uninitialized memory that grows as needed. Keeps `slack` readable bytes after its end for wide kernels.
class Buffer {
 public:
  static constexpr std::size_t kSlack = 64;
  /// Makes room for `size` bytes and preserves the first `keep` bytes. Returns false if there is no memory.
  [[nodiscard]] bool resize(std::size_t size, std::size_t keep = 0);
  [[nodiscard]] std::uint8_t* data() noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0;
};

/// Decompresses complete page sections. Reuses contexts and buffers between pages.
class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  /// Expands `stored` into `out` and returns the number of bytes produced, at most `claimed`. Memory grows
  /// with the output, not with `claimed`, which may be too large to be possible. Fails with
  /// page/uncompressed-size above `claimed` bytes (found: at least this many), compression/stream for an
  /// invalid stream, compression/format for a stream of a known other format (found: the StreamFormat); the
  /// last two at the first byte of `stored`. Notes compression/trailing-bytes, compression/lz4-layout (found:
  /// the StreamFormat), compression/gzip-members and compression/zstd-frames (found: their number), and
  /// compression/zstd-window (found: bytes).
  [[nodiscard]] Result<std::size_t> expand(CompressionCodec codec, View stored, std::size_t claimed,
                                           Buffer& out, std::size_t out_offset, const Limits& limits,
                                           Notes& notes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace parqproof
