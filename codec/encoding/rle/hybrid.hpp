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

/// Rules that differ between levels and data.
struct HybridRules {
  Rule value_count;     ///< the stream ends before the expected count
  NotedRule overshoot;  ///< the last run has more values than expected (noted)
};
[[nodiscard]] HybridRules level_rules() noexcept;  ///< repetition and definition levels
[[nodiscard]] HybridRules data_rules() noexcept;   ///< dictionary indices and booleans

inline constexpr unsigned kGroupValues = 8;  ///< values of a bit-packed group

/// Decoder of the RLE/bit-packing hybrid (Encodings.md#RLE), in batches. A repeated run is one batch of any
/// length and takes O(1), as does a bit-packed run of width 0; other runs come in batches of at most kBatch
/// unpacked values.
class HybridDecoder {
 public:
  static constexpr std::uint32_t kBatch = 4096;

  struct Batch {
    std::uint64_t count = 0;                ///< 0: no more values
    const std::uint32_t* values = nullptr;  ///< `count` values of a bit-packed run; null: a repeated run
    std::uint32_t repeated = 0;             ///< value of a repeated run
    std::uint64_t run_offset = 0;           ///< offset of the header of this run
  };

  /// Not defaulted: std::variant::emplace() value-initializes, which would zero `values_` for each chunk if
  /// the constructor were defaulted.
  HybridDecoder() noexcept {}  // NOLINT(modernize-use-equals-default)

  /// Starts on `bytes` without length prefix and width byte, with `count` values of `bit_width` (0 to 32)
  /// bits. Faults that do not prevent reading go to `notes`: zero-length runs, long or non-canonical headers,
  /// overshoot, a truncated last group.
  void open(View bytes, unsigned bit_width, std::uint64_t count, const HybridRules& rules,
            Notes& notes) noexcept;

  /// Opens the levels of a page. Never fails: AnyLevelDecoder opens all level decoders by this signature.
  [[nodiscard]] Status open(View bytes, unsigned bit_width, std::uint64_t count, Notes& notes) noexcept {
    open(bytes, bit_width, count, level_rules(), notes);
    return {};
  }

  /// Returns the next values. A failed call reports the run at fault and ends the stream.
  [[nodiscard]] Result<Batch> next() noexcept;

  /// Fast path: decodes complete runs with a one-byte header and writes their values to `out`. Stops inside a
  /// bit-packed run, before a run that is invalid or has a value above `max` < 2^bit_width, and when fewer
  /// than 504 values fit into `out` or remain, or the longest of these runs may exceed the remaining bytes.
  /// Returns the number of values; may write past them, within `out`. next() decodes the remaining runs and
  /// reports their faults.
  [[nodiscard]] std::size_t next_short_runs(std::uint32_t max, std::span<std::uint32_t> out) noexcept;

  /// Returns the bytes after the current run; after the last value, those after the run that completes the
  /// count.
  [[nodiscard]] View rest() const noexcept;

 private:
  [[nodiscard]] Status open_repeated(std::uint64_t run_length, std::uint32_t header_length) noexcept;
  [[nodiscard]] Status open_packed(std::uint64_t groups, std::uint32_t header_length) noexcept;
  [[nodiscard]] Result<Batch> packed_batch() noexcept;
  [[nodiscard]] std::uint64_t delivered() const noexcept { return count_ - left_; }
  [[nodiscard]] Error at_run(Rule rule, std::uint64_t found, std::uint64_t expected,
                             std::uint32_t length) const noexcept;
  void note_run(NotedRule rule, std::uint64_t found, std::uint64_t expected, std::uint32_t length) noexcept;
  [[nodiscard]] std::unexpected<Error> stop(const Error& error) noexcept;

  View bytes_;
  HybridRules rules_{Rule::rle_value_count, Rule::rle_overshoot};  // placeholder before open()
  Notes* notes_ = nullptr;
  std::uint64_t count_ = 0;          // values in total
  std::uint64_t left_ = 0;           // values not delivered yet
  std::uint64_t packed_left_ = 0;    // values left in the current bit-packed run
  std::uint64_t repeated_left_ = 0;  // values left in the current repeated run
  std::uint32_t repeated_value_ = 0;
  std::uint64_t run_offset_ = 0;
  std::size_t run_end_ = 0;
  std::size_t packed_position_ = 0;  // of the next values of the current bit-packed run
  unsigned bit_width_ = 0;
  alignas(64) std::array<std::uint32_t, kBatch> values_;
};

/// Returns the number of values if `bytes` consists of complete, non-empty runs (at most UINT32_MAX),
/// otherwise 0.
[[nodiscard]] std::uint32_t values_in_runs(View bytes, unsigned bit_width) noexcept;

/// Writes the hybrid (Encodings.md#RLE). EncodeOptions::runs selects the runs. By default eight or more equal
/// values from the start of a group of eight become a repeated run; other groups are added to a bit-packed
/// run.
class HybridEncoder {
 public:
  /// Starts a stream of values of `bit_width` (0 to 32) bits, appended to `out`. The caller keeps `options`
  /// and `out` alive. Unused slots of the last group have bits of options.padding.
  void open(unsigned bit_width, const EncodeOptions& options, std::vector<std::uint8_t>& out);

  /// Adds `count` values equal to `value` < 2^bit_width.
  void add(std::uint32_t value, std::uint64_t count);
  /// Adds values, each below 2^bit_width.
  void add(std::span<const std::uint32_t> values);

  /// Writes the last run. Call it once, after the last add().
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
  std::uint64_t min_repeated_values_ = 0;
  std::uint64_t max_packed_groups_ = 0;
  std::uint32_t equal_value_ = 0;  // value repeated since the last complete group
  std::uint64_t equal_count_ = 0;  // 0 while a group is incomplete
  std::array<std::uint32_t, 8> group_{};
  std::size_t in_group_ = 0;         // values of the incomplete group
  std::size_t packed_header_ = 0;    // position of the header of the open bit-packed run
  std::uint64_t packed_groups_ = 0;  // groups of the open bit-packed run; 0: none is open
};

}  // namespace parqproof
