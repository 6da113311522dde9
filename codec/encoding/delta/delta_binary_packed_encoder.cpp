#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <span>

#include "codec/base/bits.hpp"
#include "codec/encoding/delta/delta_binary_packed.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

// Sizes that are tried: each of the first multiples; of the others these multiples of powers of two, in
// blocks of up to so many values; larger ones as far as there are values, in large miniblocks alone.
constexpr std::uint64_t kEvery = 31;
constexpr std::uint64_t kMultiples[] = {1, 3, 5, 7, 9, 11, 13, 15};
constexpr std::uint64_t kLargestBlock = 32768;
constexpr std::uint64_t kLargeMiniblock = 4096;
constexpr std::uint64_t kMaxBlock = 1U << 20;  // of those that are written: a miniblock is written whole
constexpr std::uint64_t kMaxCount = INT32_MAX;

}  // namespace

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::open(const EncodeOptions& options) {
  options_ = &options;
  kept_.clear();
}

// Appends a range that reaches up to `end`. Equal ones are joined where some stand many times.
template <std::unsigned_integral U>
template <bool kRuns>
void DeltaStreamEncoder<U>::append_range(Ranges& ranges, const Range& range, std::uint64_t end) {
  if (kRuns && !ranges.empty() && ranges.back().range == range) {
    ranges.back().end = end;
  } else {
    ranges.push_back({range, end});
  }
}

// Takes the first number aside, turns the others into deltas, and notes the range of each 32 of them.
template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::survey() {
  std::vector<U>& numbers = kept_.values();
  ranges_.clear();
  joined_.clear();
  first_ = 0;
  if (numbers.empty()) return;
  first_ = numbers.front();
  const std::size_t deltas = numbers.size() - 1;
  unit_ranges_.resize(static_cast<std::size_t>(ceil_div(deltas, kUnit)));
  if constexpr (sizeof(U) == 4) {
    kernels().difference32(numbers.data(), deltas, unit_ranges_.data());
  } else {
    kernels().difference64(numbers.data(), deltas, unit_ranges_.data());
  }
  numbers.pop_back();
  typename Kept::Times times(kept_);
  std::uint64_t end = 0;
  if (has_repeats()) {
    for (const Range& range : unit_ranges_) append_range<true>(ranges_, range, end += times.next());
  } else {
    for (const Range& range : unit_ranges_) append_range<false>(ranges_, range, ++end);
  }
}

// The ranges of `size` deltas each, the last of what is left: of two halves, or of units of 32.
template <std::unsigned_integral U>
auto DeltaStreamEncoder<U>::ranges_of(std::uint64_t size) -> const Ranges& {
  if (size == kUnit) return ranges_;
  const auto [entry, added] = joined_.try_emplace(size);
  Ranges& joined = entry->second;
  if (!added) return joined;
  const bool halves = size % (2 * kUnit) == 0;
  const Ranges& parts = halves ? ranges_of(size / 2) : ranges_;
  const std::uint64_t per_range = halves ? 2 : size / kUnit;
  has_repeats() ? join<true>(parts, per_range, joined) : join<false>(parts, per_range, joined);
  return joined;
}

// Joins each `per_range` ranges.
template <std::unsigned_integral U>
template <bool kRuns>
void DeltaStreamEncoder<U>::join(const Ranges& parts, std::uint64_t per_range, Ranges& joined) {
  Range open;
  std::uint64_t missing = per_range;  // parts of the open range
  std::uint64_t begin = 0;
  std::uint64_t closed = 0;
  for (const RangeRun& run : parts) {
    for (std::uint64_t left = kRuns ? run.end - begin : 1; left != 0;) {
      std::uint64_t taken = kRuns ? std::min(left, missing) : 1;
      if (kRuns && taken == per_range) {  // whole ranges
        closed += left / per_range;
        append_range<kRuns>(joined, run.range, closed);
        taken = left - left % per_range;
      } else {
        open = {std::min(open.min, run.range.min), std::max(open.max, run.range.max)};
        missing -= taken;
        if (missing == 0) {
          append_range<kRuns>(joined, open, ++closed);
          open = {};
          missing = per_range;
        }
      }
      left -= taken;
    }
    begin = run.end;
  }
  if (missing != per_range) append_range<kRuns>(joined, open, ++closed);
}

// The min delta of a block: its smallest delta, or less, as far as both numbers and differences stay in the
// type.
template <std::unsigned_integral U>
U DeltaStreamEncoder<U>::reference_of(const Range& range) const noexcept {
  const auto min = static_cast<U>(range.min);
  const auto spread = static_cast<U>(static_cast<U>(range.max) - min);
  const auto above_lowest = static_cast<U>(min - static_cast<U>(std::numeric_limits<S>::min()));
  const U room = std::min(static_cast<U>(std::numeric_limits<U>::max() - spread), above_lowest);
  return static_cast<U>(min - std::min<U>(room, options_->reference_slack));
}

template <std::unsigned_integral U>
unsigned DeltaStreamEncoder<U>::width_of(const Range& range, U reference) const noexcept {
  const auto largest = static_cast<U>(static_cast<U>(range.max) - reference);
  const unsigned needed = bit_width_for(largest);
  return needed + std::min<unsigned>(options_->spare_bits, sizeof(U) * 8 - needed);
}

// The sizes that the options allow.
template <std::unsigned_integral U>
auto DeltaStreamEncoder<U>::choices() const -> std::expected<std::vector<Sizes>, std::string_view> {
  const std::optional<std::uint32_t>& block = options_->block_size;
  const std::optional<std::uint32_t>& miniblocks = options_->miniblocks;
  if (block && (*block == 0 || *block > kMaxBlock || *block % kBlockSizeUnit != 0)) {
    return std::unexpected("the block size is not a multiple of 128 from 128 to 1048576");
  }
  if (miniblocks && (*miniblocks == 0 || *miniblocks > kMaxBlock / kMiniblockSizeUnit)) {
    return std::unexpected("a block has 1 to 32768 miniblocks");
  }
  std::vector<Sizes> sizes;
  const auto add_for = [&](std::uint64_t block_size) {
    const auto add = [&](std::uint64_t parts) {
      const std::uint64_t miniblock = block_size / parts;
      if (block_size % parts == 0 && miniblock % kMiniblockSizeUnit == 0)
        sizes.push_back({block_size, miniblock});
    };
    if (miniblocks) return add(*miniblocks);
    // The usual four first: they stay where others are not smaller.
    for (const std::uint64_t parts : {4U, 1U, 2U}) add(parts);
    const std::uint64_t most =
        block_size / (block_size > kLargestBlock ? kLargeMiniblock : kMiniblockSizeUnit);
    const std::uint64_t odd = block_size >> std::countr_zero(block_size);
    for (std::uint64_t divisor = 1; divisor <= odd; divisor += 2) {
      if (odd % divisor != 0) continue;
      for (std::uint64_t parts = divisor; parts <= most; parts *= 2) {
        if (parts > 4 || parts == 3) add(parts);
      }
    }
  };
  if (block) {
    add_for(*block);
    if (sizes.empty())
      return std::unexpected("the miniblocks do not divide the block into multiples of 32 values");
  } else {
    const std::uint64_t unit = miniblocks.value_or(1) * kMiniblockSizeUnit;
    const std::uint64_t smallest = std::lcm(kBlockSizeUnit, unit);
    if (smallest > kMaxBlock)
      return std::unexpected("the miniblocks need a block of more than 1048576 values");
    // Many miniblocks need a block that is larger than the largest of those that are tried.
    const std::uint64_t largest = std::clamp(kept_.count(), std::max(smallest, kLargestBlock), kMaxBlock);
    for (std::uint64_t multiple = 1; multiple <= kEvery && multiple * smallest <= largest; ++multiple)
      add_for(multiple * smallest);
    for (const std::uint64_t multiple : kMultiples) {
      for (std::uint64_t size = multiple * smallest; size <= largest; size *= 2) {
        if (size > kEvery * smallest) add_for(size);
      }
    }
  }
  return sizes;
}

// Bytes of the sizes and of all blocks.
template <std::unsigned_integral U>
std::uint64_t DeltaStreamEncoder<U>::bytes_of(const Sizes& sizes) {
  const std::uint64_t parts = sizes.block / sizes.miniblock;
  const unsigned least = options_->varint_bytes;
  return uleb_size(sizes.block, least) + uleb_size(parts, least) +
         (has_repeats() ? bytes_of_blocks<true>(sizes) : bytes_of_blocks<false>(sizes));
}

template <std::unsigned_integral U>
template <bool kRuns>
std::uint64_t DeltaStreamEncoder<U>::bytes_of_blocks(const Sizes& sizes) {
  const std::uint64_t parts = sizes.block / sizes.miniblock;
  const Ranges& miniblocks = ranges_of(sizes.miniblock);
  const std::uint64_t count = miniblocks.empty() ? 0 : miniblocks.back().end;
  auto miniblock = miniblocks.begin();
  std::uint64_t bytes = 0;
  std::uint64_t widths = 0;
  std::uint64_t at = 0;  // miniblocks so far
  std::uint64_t begin = 0;
  for (const RangeRun& blocks : ranges_of(sizes.block)) {
    const U reference = reference_of(blocks.range);
    const std::uint64_t header = uleb_size(zigzag(static_cast<S>(reference)), options_->varint_bytes) + parts;
    bytes += (kRuns ? blocks.end - begin : 1) * header;
    const std::uint64_t end = std::min(count, blocks.end * parts);
    while (at < end) {
      const std::uint64_t next = kRuns ? std::min(miniblock->end, end) : at + 1;
      widths += (next - at) * width_of(miniblock->range, reference);
      at = next;
      if (!kRuns || at == miniblock->end) ++miniblock;
    }
    begin = blocks.end;
  }
  return bytes + sizes.miniblock / 8 * widths;
}

/// Goes over ranges, equal ones as often as they stand.
template <std::unsigned_integral U>
class DeltaStreamEncoder<U>::RangeReader {
 public:
  explicit RangeReader(const Ranges& ranges) : run_(ranges.begin()) {}
  [[nodiscard]] const Range& next() noexcept {
    if (at_++ == run_->end) ++run_;
    return run_->range;
  }

 private:
  typename Ranges::const_iterator run_;
  std::uint64_t at_ = 0;
};

/// Goes over the deltas, those of repeated units as often as they stand.
template <std::unsigned_integral U>
class DeltaStreamEncoder<U>::DeltaReader {
 public:
  explicit DeltaReader(const Kept& kept) : deltas_(kept.values()), repeat_(kept.repeats()) { enter(); }

  /// The next `count` deltas, valid until the next call.
  [[nodiscard]] std::span<const U> next(std::uint64_t count) {
    const std::span<const U> first = piece(count);
    if (first.size() == count) return first;
    joined_.assign(first.begin(), first.end());
    while (joined_.size() != count) {
      const std::span<const U> more = piece(count - joined_.size());
      joined_.insert(joined_.end(), more.begin(), more.end());
    }
    return joined_;
  }

  /// Passes over the next `count` deltas.
  void pass(std::uint64_t count) noexcept {
    while (count != 0) {
      if (const std::uint64_t units = std::min(again_, count / kUnit); units != 0 && at_ + kUnit == end_) {
        again_ -= units;
        count -= units * kUnit;
      }
      count -= piece(count).size();
    }
  }

 private:
  // Up to the end of the next unit that is repeated, or of all.
  void enter() noexcept {
    end_ = repeat_.empty() ? deltas_.size() : (repeat_.front().unit + 1) * kUnit;
    again_ = repeat_.empty() ? 0 : repeat_.front().times - 1;
  }

  // What stands in one piece.
  [[nodiscard]] std::span<const U> piece(std::uint64_t most) noexcept {
    const std::size_t begin = at_;
    at_ += static_cast<std::size_t>(std::min<std::uint64_t>(most, end_ - at_));
    const std::span<const U> found = deltas_.subspan(begin, at_ - begin);
    if (at_ != end_) return found;
    if (again_ != 0) {
      at_ -= kUnit;
      --again_;
    } else if (!repeat_.empty()) {
      repeat_ = repeat_.subspan(1);
      enter();
    }
    return found;
  }

  std::span<const U> deltas_;
  std::span<const typename Kept::Repeat> repeat_;  // that are not passed, the open one too
  std::size_t at_ = 0;
  std::size_t end_ = 0;      // of the piece
  std::uint64_t again_ = 0;  // that the last unit of the piece stands behind it
  std::vector<U> joined_;
};

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::append_blocks(const Sizes& sizes, std::uint64_t deltas,
                                          std::vector<std::uint8_t>& out) {
  const std::uint64_t parts = sizes.block / sizes.miniblock;
  RangeReader blocks(ranges_of(sizes.block));
  RangeReader miniblocks(ranges_of(sizes.miniblock));
  DeltaReader reader(kept_);
  while (deltas != 0) {
    const U reference = reference_of(blocks.next());
    append_uleb(out, zigzag(static_cast<S>(reference)), options_->varint_bytes);
    const std::size_t widths = out.size();
    out.resize(widths + static_cast<std::size_t>(parts),
               options_->unneeded_width.value_or(options_->padding));
    for (std::size_t i = 0; i < parts && deltas != 0; ++i) {
      const unsigned width = width_of(miniblocks.next(), reference);
      const std::uint64_t held = std::min(sizes.miniblock, deltas);
      out[widths + i] = static_cast<std::uint8_t>(width);
      if (width == 0) {
        reader.pass(held);
      } else {
        append_packed(out, reader.next(held), width, sizes.miniblock, options_->padding, reference);
      }
      deltas -= held;
    }
  }
}

// Surveys the numbers and chooses the sizes that take the fewest bytes.
template <std::unsigned_integral U>
auto DeltaStreamEncoder<U>::choose() -> std::expected<Sizes, std::string_view> {
  if (kept_.count() > kMaxCount) return std::unexpected("more than 2147483647 values in a delta stream");
  const auto allowed = choices();
  if (!allowed) return std::unexpected(allowed.error());
  survey();
  Sizes best = allowed->front();
  if (allowed->size() == 1) return best;
  std::uint64_t fewest = UINT64_MAX;
  for (const Sizes& sizes : *allowed) {
    if (const std::uint64_t bytes = bytes_of(sizes); bytes < fewest) {
      fewest = bytes;
      best = sizes;
    }
  }
  return best;
}

template <std::unsigned_integral U>
std::expected<std::uint64_t, std::string_view> DeltaStreamEncoder<U>::measure() {
  const std::uint64_t count = kept_.count();  // choose() turns the numbers into deltas, one fewer
  const auto sizes = choose();
  if (!sizes) return std::unexpected(sizes.error());
  return bytes_of(*sizes) + uleb_size(count, options_->varint_bytes) +
         uleb_size(zigzag(static_cast<S>(first_)), options_->varint_bytes);
}

template <std::unsigned_integral U>
EncodeStatus DeltaStreamEncoder<U>::finish(std::vector<std::uint8_t>& out) {
  const std::uint64_t count = kept_.count();  // choose() turns the numbers into deltas, one fewer
  const auto sizes = choose();
  if (!sizes) return std::unexpected(sizes.error());
  const auto append = [&](std::uint64_t number) { append_uleb(out, number, options_->varint_bytes); };
  append(sizes->block);
  append(sizes->block / sizes->miniblock);
  append(count);
  append(zigzag(static_cast<S>(first_)));
  append_blocks(*sizes, count == 0 ? 0 : count - 1, out);
  return {};
}

template <std::unsigned_integral U>
EncodeStatus DeltaBinaryPackedEncoder<U>::open(const NewSection& section) {
  out_ = &section.out;
  stream_.open(section.options);
  return {};
}

template <std::unsigned_integral U>
EncodeStatus DeltaBinaryPackedEncoder<U>::add(const ValueBatch& batch) {
  stream_.add(batch.fixed, static_cast<std::size_t>(batch.count));
  return {};
}

template <std::unsigned_integral U>
EncodeStatus DeltaBinaryPackedEncoder<U>::add_run(const ValueBatch& value, std::uint64_t count) {
  stream_.add_run(load_le<U>(value.fixed), count);
  return {};
}

template class DeltaStreamEncoder<std::uint32_t>;
template class DeltaStreamEncoder<std::uint64_t>;
template class DeltaBinaryPackedEncoder<std::uint32_t>;
template class DeltaBinaryPackedEncoder<std::uint64_t>;

}  // namespace parqproof
