#include "codec/encoding/delta/delta_binary_packed.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr CursorRules kHeaderRules{Rule::delta_binary_packed_header, Rule::delta_binary_packed_number_range,
                                   Rule::delta_binary_packed_number_range};
constexpr CursorRules kBlockRules{Rule::delta_binary_packed_block, Rule::delta_binary_packed_number_range,
                                  Rule::delta_binary_packed_number_range};
constexpr std::uint64_t kMaxNumber = INT32_MAX;
constexpr std::uint64_t kMaxFastMiniblocks = 1024;  // the sum of their sizes fits 64 bits
// Values unpacked in one call; a multiple of 8, so that they end at a byte boundary in every width.
constexpr std::size_t kUnpackValues = 1024;

// Returns true if a signed number fits the type of the stream.
template <typename U>
constexpr bool fits(std::int64_t number) noexcept {
  return sizeof(U) == 8 || (number >= INT32_MIN && number <= INT32_MAX);
}

// Sets both numbers of a varint of more than 64 bits to INT64_MAX.
Error with_max_numbers(Error error) noexcept {
  if (error.rule == Rule::delta_binary_packed_number_range) error.found = error.expected = INT64_MAX;
  return error;
}

// Reads a ULEB128 number that was validated before.
std::uint64_t read_uleb(const std::uint8_t* bytes, std::size_t& position) noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift = std::min(shift + 7, 64U)) {
    const std::uint8_t byte = bytes[position++];
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
}

}  // namespace

// delta-binary-packed/varint-long: the varint is longer than its type can need and ends in a zero group.
// `is_64_bit`: the type has 64 bits, otherwise 32.
template <std::unsigned_integral U>
void DeltaStream<U>::note_number(const Varint& number, std::uint64_t offset, bool is_64_bit) noexcept {
  const std::uint32_t max_bytes = is_64_bit ? 10 : 5;
  if (number.length <= max_bytes || number.canonical) return;
  const std::uint64_t needed = std::max<std::uint64_t>(1, ceil_div(bit_width_for(number.value), 7));
  notes_->add(Rule::delta_binary_packed_varint_long, {.offset = offset,
                                                      .found = number.length,
                                                      .expected = static_cast<std::int64_t>(needed),
                                                      .length = number.length,
                                                      .space = bytes_.space});
}

template <std::unsigned_integral U>
Status DeltaStream<U>::open(View bytes, std::uint64_t count, Rule count_rule, Notes& notes) noexcept {
  bytes_ = bytes;
  notes_ = &notes;
  left_ = count_ = 0;
  opened_miniblocks_ = miniblock_left_ = 0;
  end_ = block_ = 0;
  Cursor cursor(bytes, kHeaderRules);
  if (const Status header = read_header(cursor, count, count_rule); !header) return header;
  position_ = cursor.position();
  const std::uint64_t block_size = miniblocks_per_block_ * miniblock_size_;
  Cursor blocks(bytes.from(position_), kBlockRules);
  std::uint64_t done = 1;  // the header has the first value
  while (done < count) {
    done += skip_valid_blocks(blocks, (count - done) / block_size) * block_size;
    if (done == count) break;
    const std::uint64_t values = std::min(block_size, count - done);
    if (Status block = walk_block(blocks, values); !block) {
      // delta-binary-packed/block has numbers of values, not of bytes.
      if (block.error().rule == Rule::delta_binary_packed_block) {
        block.error().found = static_cast<std::int64_t>(done);
        block.error().expected = static_cast<std::int64_t>(count);
      }
      return block;
    }
    done += values;
  }
  end_ = position_ + blocks.position();
  count_ = left_ = count;
  opened_miniblocks_ = miniblocks_per_block_;  // the first delta opens a block
  return {};
}

template <std::unsigned_integral U>
Status DeltaStream<U>::read_header(Cursor& cursor, std::uint64_t count, Rule count_rule) noexcept {
  struct Number {
    Varint varint;
    View where;
  };
  std::array<Number, 4> numbers;
  for (Number& number : numbers) {
    // delta-binary-packed/header, delta-binary-packed/number-range
    const View rest = cursor.rest();
    const Result<Varint> varint = cursor.uleb<std::uint64_t>(Cursor::kAnyLength);
    if (!varint) return std::unexpected(with_max_numbers(varint.error()));
    number = {*varint, rest.part(0, varint->length)};
  }
  const auto& [block_size, miniblocks, total, first] = numbers;
  const auto fail = [](Rule rule, const Number& number, std::uint64_t found, std::uint64_t expected) {
    return std::unexpected(Error::at(rule, number.where, found, expected));
  };
  // delta-binary-packed/block-size
  if (block_size.varint.value == 0 || block_size.varint.value % kBlockSizeUnit != 0) {
    return fail(Rule::delta_binary_packed_block_size, block_size, block_size.varint.value, kBlockSizeUnit);
  }
  // delta-binary-packed/miniblock-count
  if (miniblocks.varint.value == 0 || block_size.varint.value % miniblocks.varint.value != 0) {
    return fail(Rule::delta_binary_packed_miniblock_count, miniblocks, miniblocks.varint.value,
                block_size.varint.value);
  }
  miniblocks_per_block_ = miniblocks.varint.value;
  miniblock_size_ = block_size.varint.value / miniblocks_per_block_;
  // delta-binary-packed/miniblock-size
  if (miniblock_size_ % kMiniblockSizeUnit != 0) {
    return fail(Rule::delta_binary_packed_miniblock_size, miniblocks, miniblock_size_, kMiniblockSizeUnit);
  }
  // delta-binary-packed/number-oversized
  for (const Number* number : {&block_size, &miniblocks}) {
    if (number->varint.value > kMaxNumber) {
      notes_->add(Rule::delta_binary_packed_number_oversized, number->where, number->varint.value,
                  kMaxNumber);
    }
  }
  // delta-binary-packed/number-range
  if (total.varint.value > kMaxNumber) {
    return fail(Rule::delta_binary_packed_number_range, total, total.varint.value, kMaxNumber);
  }
  const std::int64_t first_value = unzigzag(first.varint.value);
  if (!fits<U>(first_value)) {
    // Error::at() takes no negative number.
    Error error = Error::at(Rule::delta_binary_packed_number_range, first.where, 0, kMaxNumber);
    error.found = first_value;
    return std::unexpected(error);
  }
  for (const Number* number : {&block_size, &miniblocks, &total, &first}) {
    note_number(number->varint, number->where.base, number == &first && sizeof(U) == 8);
  }
  // delta-binary-packed/total-count, delta-length-byte-array/length-count, delta-byte-array/stream-counts
  if (total.varint.value != count) return fail(count_rule, total, total.varint.value, count);
  // delta-binary-packed/zero-values
  if (count == 0 && first_value != 0) {
    Error error = Error::at(Rule::delta_binary_packed_zero_values, first.where, 0, 0);
    error.found = first_value;
    notes_->add(Rule::delta_binary_packed_zero_values, error);
  }
  first_at_ = first.where;
  last_ = static_cast<U>(first_value);
  return {};
}

// Fast path of walk_block(): skips up to `max_blocks` full blocks without faults whose min delta is canonical
// and shorter than its type can need. Returns the number of skipped blocks.
template <std::unsigned_integral U>
std::uint64_t DeltaStream<U>::skip_valid_blocks(Cursor& cursor, std::uint64_t max_blocks) noexcept {
  constexpr std::ptrdiff_t kMaxMinDeltaBytes =
      sizeof(U) == 8 ? 9 : 4;  // bytes of a min delta that always fits the type
  const auto miniblocks = static_cast<std::ptrdiff_t>(miniblocks_per_block_);
  const std::uint64_t groups = miniblock_size_ / 8;
  if (miniblocks_per_block_ > kMaxFastMiniblocks || groups > UINT32_MAX) return 0;
  const std::uint8_t* const begin = cursor.rest().data();
  const std::uint8_t* const end = begin + cursor.remaining();
  const std::uint8_t* at = begin;
  std::uint64_t skipped = 0;
  for (; skipped < max_blocks && end - at >= kMaxMinDeltaBytes + miniblocks; ++skipped) {
    const std::uint8_t* last = at;  // last byte of the min delta
    while (*last >= 0x80 && last - at < kMaxMinDeltaBytes - 1) ++last;
    const bool is_canonical = *last != 0 || last == at;
    if (*last >= 0x80 || !is_canonical) break;
    const std::uint8_t* const widths = last + 1;
    std::uint64_t sum = 0;
    std::uint8_t widest = 0;
    for (std::ptrdiff_t i = 0; i < miniblocks; ++i) {
      sum += widths[i];
      widest = std::max(widest, widths[i]);
    }
    const std::uint8_t* const bodies = widths + miniblocks;
    if (widest > sizeof(U) * 8 || groups * sum > static_cast<std::uint64_t>(end - bodies)) break;
    at = bodies + groups * sum;
  }
  static_cast<void>(cursor.take(static_cast<std::size_t>(at - begin)));
  return skipped;
}

template <std::unsigned_integral U>
Status DeltaStream<U>::walk_block(Cursor& cursor, std::uint64_t values) noexcept {
  // delta-binary-packed/block
  const std::uint64_t start = cursor.offset();
  const Result<Varint> min_delta = cursor.uleb<std::uint64_t>(Cursor::kAnyLength);
  if (!min_delta) return std::unexpected(with_max_numbers(min_delta.error()));
  note_number(*min_delta, start, sizeof(U) == 8);
  // delta-binary-packed/number-oversized
  if (const std::int64_t delta = unzigzag(min_delta->value); !fits<U>(delta)) {
    notes_->add(Rule::delta_binary_packed_number_oversized,
                {.offset = start,
                 .found = delta,
                 .expected = static_cast<std::int64_t>(kMaxNumber),
                 .length = min_delta->length,
                 .space = bytes_.space});
  }
  // delta-binary-packed/width-bytes
  if (cursor.remaining() < miniblocks_per_block_) {
    return std::unexpected(Error::at(Rule::delta_binary_packed_width_bytes, cursor.rest(), cursor.remaining(),
                                     miniblocks_per_block_));
  }
  const View widths = *cursor.take(miniblocks_per_block_);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::uint8_t width = widths.bytes[i];
    if (values == 0) {
      // delta-binary-packed/unneeded-width
      if (width != 0) {
        notes_->add(Rule::delta_binary_packed_unneeded_width, widths.part(i, 1), width, 0);
      }
      continue;
    }
    // delta-binary-packed/bit-width-range
    if (width > 64) {
      return std::unexpected(
          Error::at(Rule::delta_binary_packed_bit_width_range, widths.part(i, 1), width, sizeof(U) * 8));
    }
    // delta-binary-packed/bit-width
    if (width > sizeof(U) * 8) {
      notes_->add(Rule::delta_binary_packed_bit_width, widths.part(i, 1), width, sizeof(U) * 8);
    }
    // delta-binary-packed/miniblock-full
    if (width != 0) {
      const std::uint64_t groups = miniblock_size_ / 8;  // each takes `width` bytes
      // The size of a miniblock may exceed 64 bits; the division is only needed then.
      const bool product_fits = groups <= UINT32_MAX;
      if (product_fits ? groups * width > cursor.remaining() : groups > cursor.remaining() / width) {
        const std::uint64_t needed = groups > UINT64_MAX / width ? UINT64_MAX : groups * width;
        return std::unexpected(
            Error::at(Rule::delta_binary_packed_miniblock_full, cursor.rest(), cursor.remaining(), needed));
      }
      const View body = *cursor.take(groups * width);
      if (values < miniblock_size_) note_padding(body, values * width);
    }
    values -= std::min(values, miniblock_size_);
  }
  return {};
}

// delta-binary-packed/padding
template <std::unsigned_integral U>
void DeltaStream<U>::note_padding(View body, std::uint64_t used_bits) noexcept {
  auto at = static_cast<std::size_t>(used_bits / 8);
  unsigned bits = at < body.size() ? body.bytes[at] >> (used_bits % 8) : 0;
  while (bits == 0 && ++at < body.size()) bits = body.bytes[at];
  if (bits != 0) {
    const bool shared = at == used_bits / 8;  // byte shared with values, in its low bits
    const auto values =
        static_cast<unsigned>(shared ? body.bytes[at] & low_bits(static_cast<unsigned>(used_bits % 8)) : 0);
    notes_->add(Rule::delta_binary_packed_padding, body.part(at, 1), body.bytes[at], values);
  }
}

template <std::unsigned_integral U>
void DeltaStream<U>::open_miniblock() noexcept {
  if (opened_miniblocks_ == miniblocks_per_block_) {
    block_ = position_;
    min_delta_ = static_cast<U>(unzigzag(read_uleb(bytes_.data(), position_)));
    widths_ = position_;
    position_ += static_cast<std::size_t>(miniblocks_per_block_);
    opened_miniblocks_ = 0;
    min_relative_ = std::numeric_limits<U>::max();
  }
  width_ = bytes_.bytes[widths_ + static_cast<std::size_t>(opened_miniblocks_++)];
  miniblock_left_ = miniblock_size_;
  used_bits_ = 0;
}

template <std::unsigned_integral U>
void DeltaStream<U>::close_miniblock() noexcept {
  // delta-binary-packed/bit-width-minimal
  const auto needed = static_cast<unsigned>(std::bit_width(used_bits_));
  if (needed < width_ && width_ <= sizeof(U) * 8) {
    const auto at = static_cast<std::size_t>(widths_ + opened_miniblocks_ - 1);
    notes_->add(Rule::delta_binary_packed_bit_width_minimal, bytes_.part(at, 1), width_, needed);
  }
  // delta-binary-packed/min-delta
  if (min_relative_ != 0 && (left_ == 0 || opened_miniblocks_ == miniblocks_per_block_)) {
    notes_->add(Rule::delta_binary_packed_min_delta, bytes_.part(block_, widths_ - block_), min_relative_, 0);
  }
}

// Moves past the packed deltas; the caller sets last_, the value before the next one.
template <std::unsigned_integral U>
Survey<U> DeltaStream<U>::decode(U* out, std::size_t count) noexcept {
  const std::uint8_t* const in = bytes_.data() + position_;
  const std::size_t readable = bytes_.size() - position_;
  position_ += count * width_ / 8;
  if constexpr (sizeof(U) == 8) {
    return kernels().undelta64(in, readable, width_, count, min_delta_, last_, out);
  } else {
    if (width_ <= 32) return kernels().undelta32(in, readable, width_, count, min_delta_, last_, out);
    std::array<std::uint64_t, kUnpackValues> wide;
    kernels().unpack64(in, readable, width_, count, wide.data());
    Survey<U> survey{0, std::numeric_limits<U>::max()};
    U last = last_;
    for (std::size_t i = 0; i < count; ++i) {
      const auto delta = static_cast<U>(wide[i]);
      survey = {survey.bits | delta, std::min(survey.min, delta)};
      out[i] = last += min_delta_ + delta;
    }
    return survey;
  }
}

template <std::unsigned_integral U>
std::size_t DeltaStream<U>::next(U* out) noexcept {
  std::size_t filled = 0;
  const bool at_first_value = left_ != 0 && left_ == count_;
  if (at_first_value) {
    out[filled++] = last_;
    --left_;
  }
  while (left_ != 0) {
    const std::uint64_t in_miniblock = miniblock_left_ == 0 ? miniblock_size_ : miniblock_left_;
    const auto step = static_cast<std::size_t>(std::min({left_, in_miniblock, std::uint64_t{kUnpackValues}}));
    if (filled + step > kBatchValues) break;
    if (miniblock_left_ == 0) open_miniblock();
    const Survey<U> survey = decode(out + filled, step);
    used_bits_ |= survey.bits;
    min_relative_ = std::min(min_relative_, survey.min);
    filled += step;
    last_ = out[filled - 1];
    left_ -= step;
    miniblock_left_ -= step;
    if (left_ == 0 || miniblock_left_ == 0) close_miniblock();
  }
  return filled;
}

template <std::unsigned_integral U>
Status DeltaBinaryPackedDecoder<U>::open(const Section& section) {
  bytes_ = section.bytes;
  budget_ = &section.budget;
  values_.make(batch_values(section.spec.count));
  return stream_.open(section.bytes, section.spec.count, Rule::delta_binary_packed_total_count,
                      section.notes);
}

template <std::unsigned_integral U>
Result<ValueBatch> DeltaBinaryPackedDecoder<U>::next() {
  ValueBatch batch;
  batch.count = stream_.next(values_.data());
  // limit/work: miniblocks of width 0 cost time without bytes
  const Status afforded = Section::spend(*budget_, bytes_, batch.count / Section::kValuesPerUnit);
  if (!afforded) return std::unexpected(afforded.error());
  batch.offset = stream_.block_offset();
  batch.fixed = reinterpret_cast<const std::uint8_t*>(values_.data());
  return batch;
}

template <std::unsigned_integral U>
Status DeltaBinaryPackedDecoder<U>::end() const noexcept {
  return Section::fully_used(stream_.rest());
}

template class DeltaStream<std::uint32_t>;
template class DeltaStream<std::uint64_t>;
template class DeltaBinaryPackedDecoder<std::uint32_t>;
template class DeltaBinaryPackedDecoder<std::uint64_t>;

}  // namespace parqproof
