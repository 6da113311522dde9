#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "codec/base/bits.hpp"
#include "codec/encoding/delta/delta_binary_packed.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kUsualBlock = 128;  // the default of parquet-java and Arrow, with four miniblocks
constexpr std::uint32_t kUsualMiniblocks = 4;
constexpr std::uint32_t kMaxBlock = 1U << 20;  // limits the memory of the open block
constexpr std::uint64_t kMaxCount = INT32_MAX;

}  // namespace

template <std::unsigned_integral U>
EncodeStatus DeltaStreamEncoder<U>::open(const EncodeOptions& options) {
  options_ = &options;
  count_ = 0;
  first_ = 0;
  numbers_.clear();
  blocks_.clear();
  miniblocks_ = options.miniblocks.value_or(kUsualMiniblocks);
  if (miniblocks_ == 0 || miniblocks_ > kMaxBlock / kMiniblockSizeUnit)
    return std::unexpected("a block has 1 to 32768 miniblocks");
  block_size_ = options.block_size.value_or(kUsualBlock);
  if (block_size_ == 0 || block_size_ > kMaxBlock || block_size_ % kBlockSizeUnit != 0)
    return std::unexpected("the block size is not a multiple of 128 from 128 to 1048576");
  const std::size_t unit = miniblocks_ * kMiniblockSizeUnit;
  if (!options.block_size) block_size_ = std::lcm(block_size_, unit);
  if (block_size_ > kMaxBlock)
    return std::unexpected("the miniblocks need a block of more than 1048576 values");
  if (block_size_ % unit != 0)
    return std::unexpected("the miniblocks do not divide the block into multiples of 32 values");
  return {};
}

// Returns how many numbers the open block lacks; the first number of a stream is not in a block.
template <std::unsigned_integral U>
std::size_t DeltaStreamEncoder<U>::room() const noexcept {
  return block_size_ + 1 - numbers_.size();
}

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::add(const std::uint8_t* bytes, std::uint64_t count) {
  if (count_ == 0 && count != 0) first_ = load_le<U>(bytes);
  count_ += count;
  while (count != 0) {
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(count, room()));
    const std::size_t before = numbers_.size();
    numbers_.resize(before + some);
    std::memcpy(numbers_.data() + before, bytes, some * sizeof(U));
    bytes += some * sizeof(U);
    count -= some;
    if (room() == 0) append_block();
  }
}

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::add_run(U number, std::uint64_t count) {
  if (count_ == 0 && count != 0) first_ = number;
  count_ += count;
  while (count != 0) {
    const bool equal_block = numbers_.size() == 1 && numbers_[0] == number && count >= block_size_;
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(count, room()));
    numbers_.insert(numbers_.end(), some, number);
    count -= some;
    if (room() != 0) return;
    const std::size_t start = blocks_.size();
    append_block();
    if (equal_block) {
      const std::vector<std::uint8_t> block(blocks_.begin() + static_cast<std::ptrdiff_t>(start),
                                            blocks_.end());
      append_copies(blocks_, block, count / block_size_);
      count %= block_size_;
    }
  }
}

// Encodes the numbers as a block of deltas: the min delta, the widths of the miniblocks, and the differences
// from the min delta.
template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::append_block() {
  const U last = numbers_.back();
  const std::size_t deltas = numbers_.size() - 1;
  ranges_.resize(static_cast<std::size_t>(ceil_div(deltas, kDifferences)));
  if constexpr (sizeof(U) == 4) {
    kernels().difference32(numbers_.data(), deltas, ranges_.data());
  } else {
    kernels().difference64(numbers_.data(), deltas, ranges_.data());
  }
  const auto range_of = [&](std::size_t first, std::size_t count) {
    Range range;
    for (std::size_t i = first; i < first + count; i += kDifferences) {
      const Range& part = ranges_[i / kDifferences];
      range = {std::min(range.min, part.min), std::max(range.max, part.max)};
    }
    return range;
  };
  const U min_delta = min_delta_of(range_of(0, deltas));
  append_uleb(blocks_, zigzag(static_cast<S>(min_delta)), options_->varint_bytes);
  const std::size_t widths = blocks_.size();
  blocks_.resize(widths + miniblocks_, options_->unneeded_width.value_or(options_->padding));
  const std::size_t size = block_size_ / miniblocks_;
  for (std::size_t i = 0; i * size < deltas; ++i) {
    const std::size_t count = std::min(size, deltas - i * size);
    const unsigned width = width_of(range_of(i * size, count), min_delta);
    blocks_[widths + i] = static_cast<std::uint8_t>(width);
    append_packed(blocks_, std::span<const U>(numbers_).subspan(i * size, count), width, size,
                  options_->padding, min_delta);
  }
  numbers_.assign(1, last);
}

// Returns the smallest delta minus the slack, limited so that neither it nor the differences overflow.
template <std::unsigned_integral U>
U DeltaStreamEncoder<U>::min_delta_of(const Range& range) const noexcept {
  const auto min = static_cast<U>(range.min);
  const auto spread = static_cast<U>(static_cast<U>(range.max) - min);
  const auto above_lowest = static_cast<U>(min - static_cast<U>(std::numeric_limits<S>::min()));
  const U room = std::min(static_cast<U>(std::numeric_limits<U>::max() - spread), above_lowest);
  return static_cast<U>(min - std::min<U>(room, options_->reference_slack));
}

template <std::unsigned_integral U>
unsigned DeltaStreamEncoder<U>::width_of(const Range& range, U min_delta) const noexcept {
  const unsigned needed = bit_width_for(static_cast<U>(static_cast<U>(range.max) - min_delta));
  return needed + std::min<unsigned>(options_->spare_bits, sizeof(U) * 8 - needed);
}

template <std::unsigned_integral U>
EncodeStatus DeltaStreamEncoder<U>::finish(std::vector<std::uint8_t>& out) {
  if (count_ > kMaxCount) return std::unexpected("more than 2147483647 values in a delta stream");
  if (numbers_.size() > 1) append_block();
  const U first = zigzag(static_cast<S>(first_));
  for (const std::uint64_t number :
       {std::uint64_t{block_size_}, std::uint64_t{miniblocks_}, count_, std::uint64_t{first}})
    append_uleb(out, number, options_->varint_bytes);
  out.insert(out.end(), blocks_.begin(), blocks_.end());
  return {};
}

template <std::unsigned_integral U>
EncodeStatus DeltaBinaryPackedEncoder<U>::open(const NewSection& section) {
  out_ = &section.out;
  return stream_.open(section.options);
}

template <std::unsigned_integral U>
EncodeStatus DeltaBinaryPackedEncoder<U>::add(const ValueBatch& batch) {
  stream_.add(batch.fixed, batch.count);
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
