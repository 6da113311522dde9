#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/base/result.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/rules/notes.hpp"

namespace parqproof {

/// Returns the bytes of `count` BIT_PACKED levels (Encodings.md#BITPACKED), which have no length prefix.
[[nodiscard]] std::uint64_t bit_packed_size(std::uint64_t count, unsigned bit_width) noexcept;

/// Returns the levels at the beginning of `bytes`, which may be longer. Fails with bit-packed/length.
[[nodiscard]] Result<View> cut_bit_packed(View bytes, unsigned bit_width, std::uint64_t count) noexcept;

/// BIT_PACKED levels: a fixed width, most significant bit first. Batches are those of the hybrid with values;
/// run_offset is the offset of the byte that contains the first bit of the first value.
class BitPackedDecoder {
 public:
  /// Starts on `count` levels of `bit_width` (1 to 32) bits at the beginning of `bytes`, which may be longer.
  [[nodiscard]] Status open(View bytes, unsigned bit_width, std::uint64_t count, Notes& notes) noexcept;

  /// Returns the next levels; count 0 at the end.
  [[nodiscard]] HybridDecoder::Batch next() noexcept;

  /// Returns the bytes after the levels.
  [[nodiscard]] View rest() const noexcept { return bytes_.from(end_); }

 private:
  View bytes_;
  std::uint64_t count_ = 0;
  std::uint64_t left_ = 0;
  std::size_t end_ = 0;
  unsigned bit_width_ = 0;
  std::array<std::uint32_t, HybridDecoder::kBatch> values_;
};

/// Writes BIT_PACKED levels.
class BitPackedEncoder {
 public:
  /// Starts on levels of `bit_width` (1 to 32) bits, appended to `out`. Unused bits of the last byte are
  /// those of options.padding.
  void open(unsigned bit_width, const EncodeOptions& options, std::vector<std::uint8_t>& out);
  /// Adds `count` levels equal to `level` < 2^bit_width.
  void add(std::uint32_t level, std::uint64_t count);
  /// Adds levels, each below 2^bit_width.
  void add(std::span<const std::uint32_t> levels);
  void finish();

 private:
  std::vector<std::uint8_t>* out_ = nullptr;
  std::uint8_t padding_ = 0;
  unsigned bit_width_ = 0;
  std::uint64_t bits_ = 0;  // bits of an incomplete byte, most recent lowest
  unsigned waiting_ = 0;    // number of these bits
};

}  // namespace parqproof
