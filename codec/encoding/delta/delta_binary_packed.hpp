#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "codec/base/cursor.hpp"
#include "codec/base/room.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

inline constexpr std::uint64_t kBlockSizeUnit = 128;  ///< block sizes are multiples of it
/// The numbers of values of a miniblock are multiples of it.
inline constexpr std::uint64_t kMiniblockSizeUnit = 32;

/// A stream of delta-encoded numbers modulo 2^32 or 2^64 (Encodings.md#DELTAENC): a header, then blocks of
/// miniblocks.
template <std::unsigned_integral U>
class DeltaStream {
 public:
  /// Reads the header and validates all blocks, so that next() cannot fail. Reports `count_rule` unless the
  /// stream has `count` values. The stream may end before `bytes`.
  [[nodiscard]] Status open(View bytes, std::uint64_t count, Rule count_rule, Notes& notes) noexcept;

  /// Writes the next values to `out`, which has room for kBatchValues, or for all values of a shorter stream.
  /// Returns their number; 0 at the end.
  [[nodiscard]] std::size_t next(U* out) noexcept;

  /// Returns the bytes after the stream.
  [[nodiscard]] View rest() const noexcept { return bytes_.from(end_); }
  /// Returns the encoded first value.
  [[nodiscard]] View first_value() const noexcept { return first_at_; }
  /// Offset of the first byte of the stream.
  [[nodiscard]] std::uint64_t offset() const noexcept { return bytes_.base; }
  /// Offset of the block of the last value delivered; of the stream before the first block.
  [[nodiscard]] std::uint64_t block_offset() const noexcept { return bytes_.base + block_; }

 private:
  [[nodiscard]] Status read_header(Cursor& cursor, std::uint64_t count, Rule count_rule) noexcept;
  [[nodiscard]] std::uint64_t skip_valid_blocks(Cursor& cursor, std::uint64_t max_blocks) noexcept;
  [[nodiscard]] Status walk_block(Cursor& cursor, std::uint64_t values) noexcept;
  void note_padding(View body, std::uint64_t used_bits) noexcept;
  void open_miniblock() noexcept;
  void close_miniblock() noexcept;
  [[nodiscard]] Survey<U> decode(U* out, std::size_t count) noexcept;
  void note_number(const Varint& number, std::uint64_t offset, bool is_64_bit) noexcept;

  View bytes_;
  Notes* notes_ = nullptr;
  View first_at_;
  std::size_t end_ = 0;      // end of the stream
  std::uint64_t count_ = 0;  // values in total
  std::uint64_t left_ = 0;   // values not delivered yet
  std::uint64_t miniblocks_per_block_ = 0;
  std::uint64_t miniblock_size_ = 0;
  U last_ = 0;

  std::size_t position_ = 0;             // beginning of the next packed values or the next block
  std::size_t block_ = 0;                // beginning of the current block
  std::size_t widths_ = 0;               // beginning of its width bytes
  std::uint64_t opened_miniblocks_ = 0;  // miniblocks of it that have been opened
  std::uint64_t miniblock_left_ = 0;     // values of the current miniblock that are not unpacked yet
  unsigned width_ = 0;                   // bit width of the current miniblock
  U min_delta_ = 0;
  U used_bits_ = 0;     // union of the bits of the relative deltas of the miniblock
  U min_relative_ = 0;  // smallest relative delta of the block
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
  Room<U> values_;
};

/// Writes a delta stream. Blocks are kept until finish(), because the header contains the number of values.
template <std::unsigned_integral U>
class DeltaStreamEncoder {
 public:
  /// The caller keeps `options` alive.
  [[nodiscard]] EncodeStatus open(const EncodeOptions& options);
  void add(std::span<const U> numbers) {
    add(reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size());
  }
  /// Adds `count` little-endian numbers at `bytes`.
  void add(const std::uint8_t* bytes, std::uint64_t count);
  /// Adds `number` `count` times. Blocks that contain only `number` are encoded once and copied.
  void add_run(U number, std::uint64_t count);
  /// Appends the stream to `out`.
  [[nodiscard]] EncodeStatus finish(std::vector<std::uint8_t>& out);

 private:
  using S = std::make_signed_t<U>;
  using Range = KeyRange<S>;

  [[nodiscard]] std::size_t room() const noexcept;
  void append_block();
  [[nodiscard]] U min_delta_of(const Range& range) const noexcept;
  [[nodiscard]] unsigned width_of(const Range& range, U min_delta) const noexcept;

  const EncodeOptions* options_ = nullptr;
  std::size_t block_size_ = 0;
  std::size_t miniblocks_ = 0;  // miniblocks of a block
  std::uint64_t count_ = 0;
  U first_ = 0;
  std::vector<U> numbers_;            // last number of the previous block, then those of the open block
  std::vector<Range> ranges_;         // range of each kDifferences deltas of a block
  std::vector<std::uint8_t> blocks_;  // complete blocks
};

/// Writes DELTA_BINARY_PACKED values of INT32 or INT64.
template <std::unsigned_integral U>
class DeltaBinaryPackedEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus add_run(const ValueBatch& value, std::uint64_t count);
  [[nodiscard]] EncodeStatus finish() { return stream_.finish(*out_); }

 private:
  DeltaStreamEncoder<U> stream_;
  std::vector<std::uint8_t>* out_ = nullptr;
};

}  // namespace parqproof
