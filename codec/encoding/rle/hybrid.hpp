#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/base/result.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/rules/notes.hpp"

namespace parqproof {

/// The rules that a use of the hybrid has of its own.
struct HybridRules {
  Rule value_count;     ///< the stream ends before the count is met
  NotedRule overshoot;  ///< the last run claims more than is left (noted)
};
[[nodiscard]] HybridRules level_rules() noexcept;  ///< repetition and definition levels
[[nodiscard]] HybridRules data_rules() noexcept;   ///< dictionary indices and booleans

/// The RLE/bit-packing hybrid (Encodings.md#RLE), pulled in batches: a repeated run is one batch of any
/// length and costs O(1), as does a bit-packed run of width 0; others come in batches of at most kBatch
/// unpacked values.
class HybridDecoder {
 public:
  static constexpr std::uint32_t kBatch = 4096;

  struct Batch {
    std::uint64_t count = 0;                ///< 0: all values have been delivered
    const std::uint32_t* values = nullptr;  ///< `count` values of a bit-packed run; null: a repeated run
    std::uint32_t repeated = 0;             ///< the value of a repeated run
    std::uint64_t run_offset = 0;           ///< where the header of this run stands
  };

  /// By `= default` a variant would fill the room for a batch with zeros first, for each chunk anew.
  HybridDecoder() noexcept {}  // NOLINT(modernize-use-equals-default)

  /// Starts on `bytes` (no length word, no width byte), which hold `count` values of `bit_width` (0 to 32)
  /// bits. What is wrong but passable goes to `notes`: zero-length runs, long or non-canonical headers,
  /// overshoot, a last group cut short.
  void open(View bytes, unsigned bit_width, std::uint64_t count, const HybridRules& rules,
            Notes& notes) noexcept;

  /// The same for levels.
  [[nodiscard]] Status open(View bytes, unsigned bit_width, std::uint64_t count, Notes& notes) noexcept {
    open(bytes, bit_width, count, level_rules(), notes);
    return {};
  }

  /// The next values; a failed call names the run at fault and ends the stream.
  [[nodiscard]] Result<Batch> next() noexcept;

  /// The next runs as long as their headers take one byte and nothing is wrong with them: writes their
  /// values, none above `max` < 2^bit_width, one after another to `out`, and what it likes behind them. Gives
  /// their number. Whatever stands behind them, the last values included, is next()'s to tell.
  [[nodiscard]] std::size_t next_short_runs(std::uint32_t max, std::span<std::uint32_t> out) noexcept;

  /// Bytes that stand after the run that met the count.
  [[nodiscard]] View rest() const noexcept;

 private:
  [[nodiscard]] Status open_repeated(std::uint64_t claimed, std::uint32_t header_length) noexcept;
  [[nodiscard]] Status open_packed(std::uint64_t groups, std::uint32_t header_length) noexcept;
  [[nodiscard]] Result<Batch> packed_batch() noexcept;
  [[nodiscard]] std::uint64_t delivered() const noexcept { return count_ - left_; }
  [[nodiscard]] Error at_run(Rule rule, std::uint64_t found, std::uint64_t expected,
                             std::uint32_t length) const noexcept;
  void note_run(NotedRule rule, std::uint64_t found, std::uint64_t expected, std::uint32_t length) noexcept;
  [[nodiscard]] std::unexpected<Error> stop(const Error& error) noexcept;

  View bytes_;
  HybridRules rules_{Rule::rle_value_count, Rule::rle_overshoot};  // until it is opened
  Notes* notes_ = nullptr;
  std::uint64_t count_ = 0;          // values in all
  std::uint64_t left_ = 0;           // of them still to be delivered
  std::uint64_t packed_left_ = 0;    // of them in the current bit-packed run
  std::uint64_t repeated_left_ = 0;  // of them in the current repeated run
  std::uint32_t repeated_ = 0;       // its value
  std::uint64_t run_offset_ = 0;
  std::size_t position_ = 0;  // behind the current run
  std::size_t packed_ = 0;    // where the next values of the current bit-packed run stand
  unsigned bit_width_ = 0;
  alignas(64) std::array<std::uint32_t, kBatch> values_;
};

/// How many values the runs hold that fill `bytes` from the first to the last; 0 where they do not.
[[nodiscard]] std::uint32_t values_in_runs(View bytes, unsigned bit_width) noexcept;

/// Writes the hybrid (Encodings.md#RLE). Values are taken in groups of eight: eight or more equal ones that
/// begin at a group become a repeated run, other groups join a bit-packed run.
class HybridEncoder {
 public:
  /// Starts a stream of values of `bit_width` (0 to 32) bits after what `out` holds; `options` and `out`
  /// outlive it. Unused slots of the last group hold bits of options.padding.
  void open(unsigned bit_width, const EncodeOptions& options, std::vector<std::uint8_t>& out);

  /// The next `count` values are all `value` < 2^bit_width.
  void add(std::uint32_t value, std::uint64_t count);
  /// The next values, each below 2^bit_width.
  void add(std::span<const std::uint32_t> values);

  void finish();

 private:
  void end_equal();
  void append_repeated(std::uint32_t value, std::uint64_t count);
  void pack(std::uint32_t value, std::uint64_t count);
  void pack_groups(std::span<const std::uint32_t> values);
  [[nodiscard]] std::uint64_t open_packed(std::uint64_t groups);
  void close_packed();

  const EncodeOptions* options_ = nullptr;
  std::vector<std::uint8_t>* out_ = nullptr;
  unsigned bit_width_ = 0;
  std::uint64_t shortest_repeated_ = 0;  // values of a repeated run
  std::uint64_t most_groups_ = 0;        // of a bit-packed run
  std::uint32_t equal_value_ = 0;        // of equal values since the last group that was completed
  std::uint64_t equal_ = 0;              // how many; none where a group has begun
  std::array<std::uint32_t, 8> group_{};
  std::size_t in_group_ = 0;         // values of the group that has begun
  std::size_t packed_header_ = 0;    // position of the header of the open bit-packed run
  std::uint64_t packed_groups_ = 0;  // of the open bit-packed run; 0: none is open
};

}  // namespace parqproof
