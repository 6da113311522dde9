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

/// Whether `codec` is in the table of compression codecs; false for a number that the specification does not
/// define.
[[nodiscard]] bool can_decompress(CompressionCodec codec) noexcept;

/// Memory that grows as needed and is not cleared; it keeps `slack` readable bytes behind its end for wide
/// kernels.
class Buffer {
 public:
  static constexpr std::size_t kSlack = 64;
  /// Room for `size` bytes; the content is lost unless `keep` is given. False where memory cannot be had.
  [[nodiscard]] bool resize(std::size_t size, std::size_t keep = 0);
  [[nodiscard]] std::uint8_t* data() noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0;
};

/// Decompresses one whole page section. It reuses contexts and buffers between pages.
class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  /// Expands `stored` into `out` and returns how many bytes came out, at most `claimed`. A claim that the
  /// codec cannot reach from so few bytes is not believed: memory grows only with what is produced. Output of
  /// more than `claimed` bytes ends with page/uncompressed-size (found: at least this many); a stream that
  /// the codec refuses is compression/stream, or compression/format where it is known what it is (found: the
  /// StreamFormat), at the first byte of `stored`. Noted are compression/trailing-bytes,
  /// compression/lz4-layout (found: the StreamFormat), compression/gzip-members and compression/zstd-frames
  /// (found: how many), and compression/zstd-window (found: bytes).
  [[nodiscard]] Result<std::size_t> expand(CompressionCodec codec, View stored, std::size_t claimed,
                                           Buffer& out, std::size_t out_offset, const Limits& limits,
                                           Notes& notes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace parqproof
