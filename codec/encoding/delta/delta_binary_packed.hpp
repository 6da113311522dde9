#pragma once

#include <concepts>
#include <cstdint>
#include <expected>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codec/base/cursor.hpp"
#include "codec/base/room.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/kept_values.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"
#include "codec/kernel/kernels.hpp"

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

  /// Writes the next values to `out`, which has room for kBatchValues, or for all values of the stream where
  /// they are fewer; 0: all have been delivered.
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
  [[nodiscard]] std::uint64_t pass_usual_blocks(Cursor& cursor, std::uint64_t most) noexcept;
  [[nodiscard]] Status walk_block(Cursor& cursor, std::uint64_t values) noexcept;
  void note_padding(View body, std::uint64_t used_bits) noexcept;
  void open_miniblock() noexcept;
  void close_miniblock() noexcept;
  [[nodiscard]] Survey<U> decode(U* out, std::size_t count) noexcept;
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
  Room<U> values_;
};

/// Writes a delta stream. The numbers are kept until it is finished, those of a long run once: their count
/// stands in front of them, and the sizes of blocks and miniblocks, where the options do not name them, are
/// those that take the fewest bytes of the sizes that are tried: small odd multiples of powers of two.
template <std::unsigned_integral U>
class DeltaStreamEncoder {
 public:
  /// `options` outlives the stream.
  void open(const EncodeOptions& options);
  void add(U number) { kept_.add(number); }
  /// Adds `count` numbers, little-endian, at `bytes`.
  void add(const std::uint8_t* bytes, std::size_t count) { kept_.add(bytes, count); }
  /// Adds `count` times `number`.
  void add_run(U number, std::uint64_t count) { kept_.add_run(number, count); }
  /// Bytes that finish() would append; it is called instead.
  [[nodiscard]] std::expected<std::uint64_t, std::string_view> measure();
  /// Appends the stream to `out`.
  [[nodiscard]] EncodeStatus finish(std::vector<std::uint8_t>& out);

 private:
  static constexpr std::size_t kUnit = kDifferences;  // deltas of the shortest range
  static_assert(kUnit == kMiniblockSizeUnit);
  using S = std::make_signed_t<U>;
  using Kept = KeptValues<U, kUnit, 1>;  // the first number has no delta
  /// Sizes in values.
  struct Sizes {
    std::uint64_t block = 0;
    std::uint64_t miniblock = 0;
  };
  using Range = KeyRange<S>;
  /// Equal ranges in a row: those before range number `end`.
  struct RangeRun {
    Range range;
    std::uint64_t end = 0;
  };
  using Ranges = std::vector<RangeRun>;
  class RangeReader;
  class DeltaReader;

  /// Whether a unit of deltas stands many times. Only then equal ranges are joined (kRuns): what is written
  /// is the same, but each range by itself is faster.
  [[nodiscard]] bool has_repeats() const noexcept { return !kept_.repeats().empty(); }
  void survey();
  template <bool kRuns>
  static void append_range(Ranges& ranges, const Range& range, std::uint64_t end);
  template <bool kRuns>
  static void join(const Ranges& parts, std::uint64_t per_range, Ranges& joined);
  [[nodiscard]] const Ranges& ranges_of(std::uint64_t size);
  [[nodiscard]] U reference_of(const Range& range) const noexcept;
  [[nodiscard]] unsigned width_of(const Range& range, U reference) const noexcept;
  [[nodiscard]] std::expected<std::vector<Sizes>, std::string_view> choices() const;
  [[nodiscard]] std::uint64_t bytes_of(const Sizes& sizes);
  template <bool kRuns>
  [[nodiscard]] std::uint64_t bytes_of_blocks(const Sizes& sizes);
  [[nodiscard]] std::expected<Sizes, std::string_view> choose();
  void append_blocks(const Sizes& sizes, std::uint64_t deltas, std::vector<std::uint8_t>& out);

  const EncodeOptions* options_ = nullptr;
  Kept kept_;                               // the numbers; the deltas, once they have been surveyed
  U first_ = 0;                             // number, before the deltas
  std::vector<Range> unit_ranges_;          // of kUnit deltas that are kept, the last of what is left
  Ranges ranges_;                           // of kUnit deltas each
  std::map<std::uint64_t, Ranges> joined_;  // of as many deltas as the key says
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
