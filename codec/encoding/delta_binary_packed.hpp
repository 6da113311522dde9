#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/cursor.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

inline constexpr std::uint64_t kBlockSizeUnit = 128;     ///< a block size is a multiple of it
inline constexpr std::uint64_t kMiniblockSizeUnit = 32;  ///< the values of a miniblock are a multiple of it

/// A stream of delta-encoded numbers modulo 2^32 or 2^64 (Encodings.md#DELTAENC): a header, then blocks of
/// miniblocks.
template <std::unsigned_integral U>
class DeltaStream {
 public:
  /// Reads the header and walks over all blocks, so that whatever is wrong with the stream is found here;
  /// next() cannot fail. `count` values are due, or it is `count_rule`. The stream may end before `bytes` do.
  [[nodiscard]] Status open(View bytes, std::uint64_t count, Rule count_rule, Notes& notes) noexcept;

  /// Writes the next values to `out`, which has room for kBatchValues; 0: all have been delivered.
  [[nodiscard]] std::size_t next(U* out) noexcept;

  /// Bytes behind the stream.
  [[nodiscard]] View rest() const noexcept { return bytes_.from(end_); }
  /// The first value as it is stored.
  [[nodiscard]] View first_value() const noexcept { return first_at_; }
  /// Offset of the stream's first byte.
  [[nodiscard]] std::uint64_t offset() const noexcept { return bytes_.base; }
  /// Offset of the block that the last value delivered comes from; of the stream before the first block.
  [[nodiscard]] std::uint64_t block_offset() const noexcept { return bytes_.base + block_; }

 private:
  [[nodiscard]] Status read_header(Cursor& cursor, std::uint64_t count, Rule count_rule) noexcept;
  [[nodiscard]] Status walk_block(Cursor& cursor, std::uint64_t values) noexcept;
  void note_padding(View body, std::uint64_t used_bits) noexcept;
  void open_miniblock() noexcept;
  void close_miniblock() noexcept;
  void unpack(U* out, std::size_t count) noexcept;
  void note_number(const Varint& number, std::uint64_t offset, bool wide) noexcept;

  View bytes_;
  Notes* notes_ = nullptr;
  View first_at_;
  std::size_t end_ = 0;           // behind the stream
  std::uint64_t count_ = 0;       // values in all
  std::uint64_t left_ = 0;        // of them still to be delivered
  std::uint64_t miniblocks_ = 0;  // of a block
  std::uint64_t miniblock_size_ = 0;
  U last_ = 0;

  std::size_t position_ = 0;          // of the next packed values, or of the next block
  std::size_t block_ = 0;             // where the current block begins
  std::size_t widths_ = 0;            // where its width bytes begin
  std::uint64_t miniblock_ = 0;       // those of it that have been opened
  std::uint64_t miniblock_left_ = 0;  // values of the current miniblock that have not been unpacked
  unsigned width_ = 0;                // of the current miniblock
  U min_delta_ = 0;
  U used_bits_ = 0;     // of the relative deltas of the miniblock, or-ed
  U min_relative_ = 0;  // relative delta of the block
};

/// DELTA_BINARY_PACKED values of INT32 or INT64.
template <std::unsigned_integral U>
class DeltaBinaryPackedDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

 private:
  DeltaStream<U> stream_;
  View bytes_;
  Budget* budget_ = nullptr;
  alignas(64) std::array<U, kBatchValues> values_;
};

/// Appends a delta stream of `values`.
template <std::unsigned_integral U>
[[nodiscard]] EncodeStatus append_delta_stream(std::span<const U> values, const EncodeOptions& options,
                                               std::vector<std::uint8_t>& out);

[[nodiscard]] EncodeStatus encode_delta_binary_packed(const PlainValues& values, const EncodeOptions& options,
                                                      std::vector<std::uint8_t>& out);

}  // namespace parqproof
