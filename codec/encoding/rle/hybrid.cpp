#include "codec/encoding/rle/hybrid.hpp"

#include <algorithm>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/cursor.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kMaxRun = INT32_MAX;  // max values of a run
constexpr std::uint32_t kHeaderBytes = 5;     // bytes of the largest valid run header
constexpr std::size_t kShortCount = 63;       // max values or groups in a one-byte header

// Rules of a run header that is not a valid number.
constexpr CursorRules kHeaderRules{Rule::rle_header_varint, Rule::rle_header_varint, Rule::rle_header_varint};

}  // namespace

HybridRules level_rules() noexcept { return {Rule::levels_count, Rule::levels_overshoot}; }
HybridRules data_rules() noexcept { return {Rule::rle_value_count, Rule::rle_overshoot}; }

void HybridDecoder::open(View bytes, unsigned bit_width, std::uint64_t count, const HybridRules& rules,
                         Notes& notes) noexcept {
  bytes_ = bytes;
  rules_ = rules;
  notes_ = &notes;
  count_ = left_ = count;
  packed_left_ = repeated_left_ = 0;
  run_offset_ = bytes.base;
  run_end_ = packed_position_ = 0;
  bit_width_ = bit_width;
}

Error HybridDecoder::at_run(Rule rule, std::uint64_t found, std::uint64_t expected,
                            std::uint32_t length) const noexcept {
  return {run_offset_, static_cast<std::int64_t>(found), static_cast<std::int64_t>(expected), length, rule,
          bytes_.space};
}

void HybridDecoder::note_run(NotedRule rule, std::uint64_t found, std::uint64_t expected,
                             std::uint32_t length) noexcept {
  notes_->add(rule, at_run(rule, found, expected, length));
}

std::unexpected<Error> HybridDecoder::stop(const Error& error) noexcept {
  left_ = packed_left_ = repeated_left_ = 0;
  return std::unexpected(error);
}

Result<HybridDecoder::Batch> HybridDecoder::next() noexcept {
  while (packed_left_ == 0 && repeated_left_ == 0) {
    if (left_ == 0) return Batch{};
    Cursor cursor(bytes_.from(run_end_), kHeaderRules);
    run_offset_ = cursor.offset();
    // levels/count, rle/value-count
    if (cursor.remaining() == 0) return stop(at_run(rules_.value_count, delivered(), count_, 0));
    // rle/header-varint
    const Result<Varint> header = cursor.uleb<std::uint32_t>(Cursor::kAnyLength);
    if (!header) return stop(header.error());
    run_end_ += header->length;
    // rle/header-canonical, rle/header-long
    if (!header->canonical) {
      const NotedRule rule = header->length > kHeaderBytes ? NotedRule(Rule::rle_header_long)
                                                           : NotedRule(Rule::rle_header_canonical);
      const std::uint64_t needed = std::max<std::uint64_t>(1, ceil_div(bit_width_for(header->value), 7));
      note_run(rule, header->length, needed, header->length);
    }
    const std::uint64_t run_length = header->value >> 1;  // in values, or in groups if bit-packed
    // rle/run-length
    if (run_length == 0) note_run(Rule::rle_run_length, 0, kMaxRun, header->length);
    const bool packed = (header->value & 1) != 0;
    if (const Status opened =
            packed ? open_packed(run_length, header->length) : open_repeated(run_length, header->length);
        !opened) {
      return std::unexpected(opened.error());
    }
  }
  if (packed_left_ != 0) return packed_batch();
  const std::uint64_t count = std::exchange(repeated_left_, 0);
  left_ -= count;
  return Batch{count, nullptr, repeated_value_, run_offset_};
}

std::size_t HybridDecoder::next_short_runs(std::uint32_t max, std::span<std::uint32_t> out) noexcept {
  if (packed_left_ != 0) return 0;  // the current run is longer and not complete
  constexpr std::size_t kMaxShortRunValues = kShortCount * kGroupValues;
  // Nearly all of these runs have at most 64 values. Always 64 are written, because a loop of varying length
  // costs more than the surplus values.
  constexpr std::size_t kAtOnce = 64;
  const std::size_t value_bytes = ceil_div(bit_width_, 8);
  const std::size_t longest_bytes = 1 + kShortCount * bit_width_;
  std::size_t done = 0;
  while (left_ >= kMaxShortRunValues && out.size() - done >= kMaxShortRunValues &&
         bytes_.size() - run_end_ >= longest_bytes) {
    const std::uint8_t* const header = bytes_.data() + run_end_;
    const std::size_t run_length = *header >> 1;  // in values, or in groups if bit-packed
    if (*header >= 0x80 || run_length == 0) break;
    std::uint32_t* const to = out.data() + done;
    std::size_t count = run_length;
    std::size_t length = 1 + value_bytes;
    if ((*header & 1) == 0) {
      std::uint32_t value = 0;
      for (std::size_t i = 0; i < value_bytes; ++i)
        value |= static_cast<std::uint32_t>(header[1 + i]) << (8 * i);
      if (value > max) break;
      std::fill_n(to, kAtOnce, value);
    } else {
      count = run_length * kGroupValues;
      length = 1 + run_length * bit_width_;
      kernels().unpack32(header + 1, bytes_.size() - run_end_ - 1, bit_width_, std::max(count, kAtOnce), to);
      if (max != low_bits(bit_width_) && max32(kernels(), to, count) > max) break;
    }
    done += count;
    left_ -= count;
    run_end_ += length;
  }
  return done;
}

Status HybridDecoder::open_repeated(std::uint64_t run_length, std::uint32_t header_length) noexcept {
  const auto width = static_cast<std::uint32_t>(ceil_div(bit_width_, 8));
  const std::size_t available = bytes_.size() - run_end_;
  // rle/truncated
  if (available < width) return stop(at_run(Rule::rle_truncated, available, width, header_length));
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < width; ++i)
    value |= static_cast<std::uint32_t>(bytes_.bytes[run_end_ + i]) << (8 * i);
  // rle/repeated-value-range
  if (value > low_bits(bit_width_)) {
    Error error = at_run(Rule::rle_repeated_value_range, value, low_bits(bit_width_), width);
    error.offset = bytes_.base + run_end_;
    return stop(error);
  }
  run_end_ += width;
  // levels/overshoot, rle/overshoot
  if (run_length > left_) note_run(rules_.overshoot, run_length, left_, header_length);
  repeated_left_ = std::min(run_length, left_);
  repeated_value_ = value;
  return {};
}

Status HybridDecoder::open_packed(std::uint64_t groups, std::uint32_t header_length) noexcept {
  const std::uint64_t run_length = groups * kGroupValues;
  const std::uint64_t count = std::min(run_length, left_);
  const std::uint64_t bytes = groups * bit_width_;
  const std::uint64_t available = bytes_.size() - run_end_;
  packed_position_ = run_end_;
  if (available < bytes) {
    // rle/truncated, rle/last-group: only the padding of the last group may be missing
    const bool is_padded = run_length > left_ && run_length < left_ + kGroupValues;
    const std::uint64_t needed = is_padded ? ceil_div(left_ * bit_width_, 8) : bytes;
    if (available < needed) return stop(at_run(Rule::rle_truncated, available, bytes, header_length));
    note_run(Rule::rle_last_group, available, bytes, header_length);
    run_end_ = bytes_.size();
  } else {
    run_end_ += static_cast<std::size_t>(bytes);
    if (run_length > kMaxRun) {
      // rle/run-length: the same count is not reported as an overshoot too
      note_run(Rule::rle_run_length, run_length, kMaxRun, header_length);
    } else if (run_length >= left_ + kGroupValues) {
      // levels/overshoot, rle/overshoot: complete groups are left over, more than padding
      note_run(rules_.overshoot, run_length, left_, header_length);
    }
  }
  packed_left_ = count;
  return {};
}

Result<HybridDecoder::Batch> HybridDecoder::packed_batch() noexcept {
  if (bit_width_ == 0) {  // values without bytes
    const std::uint64_t zeros = std::exchange(packed_left_, 0);
    left_ -= zeros;
    return Batch{zeros, nullptr, 0, run_offset_};
  }
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(packed_left_, kBatch));
  // kBatch values fill complete bytes, so the next batch begins at a byte boundary.
  kernels().unpack32(bytes_.data() + packed_position_, bytes_.size() - packed_position_, bit_width_, count,
                     values_.data());
  packed_position_ += count * bit_width_ / 8;
  packed_left_ -= count;
  left_ -= count;
  return Batch{count, values_.data(), 0, run_offset_};
}

View HybridDecoder::rest() const noexcept { return bytes_.from(run_end_); }

std::uint32_t values_in_runs(View bytes, unsigned bit_width) noexcept {
  std::uint64_t values = 0;
  while (!bytes.empty()) {
    Cursor cursor(bytes, {});
    const Result<Varint> header = cursor.uleb<std::uint32_t>();
    if (!header || header->value < 2) return 0;
    const std::uint64_t count = header->value >> 1;
    const bool packed = (header->value & 1) != 0;
    const std::uint64_t length = packed ? count * bit_width : ceil_div(bit_width, 8);
    if (length > cursor.remaining()) return 0;
    values += packed ? count * kGroupValues : count;
    bytes = cursor.rest().from(static_cast<std::size_t>(length));
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(values, UINT32_MAX));
}

}  // namespace parqproof
