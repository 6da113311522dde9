#include <algorithm>
#include <cstring>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/encoding/delta_binary_packed.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kUnit = kDifferences;  // deltas of a range
static_assert(kUnit == kMiniblockSizeUnit);
constexpr std::uint64_t kLargestBlock = 32768;  // of those that are tried
constexpr std::uint64_t kMaxCount = INT32_MAX;

std::uint64_t uleb_bytes(std::uint64_t value, unsigned least) noexcept {
  return std::max<std::uint64_t>({ceil_div(bit_width_for(value), 7), least, 1});
}

}  // namespace

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::open(const EncodeOptions& options) {
  options_ = &options;
  numbers_.clear();
}

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::add(const std::uint8_t* bytes, std::size_t count) {
  if (count == 0) return;
  const std::size_t before = numbers_.size();
  numbers_.resize(before + count);
  std::memcpy(numbers_.data() + before, bytes, count * sizeof(U));
}

// Takes the first number aside, turns the others into deltas, and notes the range of each 32 of them.
template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::survey() {
  ranges_.clear();
  first_ = 0;
  if (numbers_.empty()) return;
  first_ = numbers_.front();
  const std::size_t deltas = numbers_.size() - 1;
  ranges_.resize(static_cast<std::size_t>(ceil_div(deltas, kUnit)));
  if constexpr (sizeof(U) == 4) {
    kernels().difference32(numbers_.data(), deltas, ranges_.data());
  } else {
    kernels().difference64(numbers_.data(), deltas, ranges_.data());
  }
  numbers_.pop_back();
}

template <std::unsigned_integral U>
typename DeltaStreamEncoder<U>::Range DeltaStreamEncoder<U>::range_of(std::size_t first,
                                                                      std::size_t last) const noexcept {
  Range range = ranges_[first];
  for (std::size_t i = first + 1; i < last; ++i) {
    range = {std::min(range.min, ranges_[i].min), std::max(range.max, ranges_[i].max)};
  }
  return range;
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
  return std::min<unsigned>(bit_width_for(largest) + options_->spare_bits, sizeof(U) * 8);
}

// The sizes that the options allow.
template <std::unsigned_integral U>
auto DeltaStreamEncoder<U>::choices() const -> std::expected<std::vector<Sizes>, std::string_view> {
  const std::optional<std::uint32_t>& block = options_->block_size;
  const std::optional<std::uint32_t>& miniblocks = options_->miniblocks;
  if (block && (*block == 0 || *block % kBlockSizeUnit != 0)) {
    return std::unexpected("the block size is not a multiple of 128");
  }
  if (miniblocks && *miniblocks == 0) return std::unexpected("a block has one miniblock at least");
  std::vector<Sizes> sizes;
  const auto add_for = [&](std::uint64_t block_size) {
    const auto add = [&](std::uint64_t parts) {
      const std::uint64_t miniblock = block_size / parts;
      if (block_size % parts == 0 && miniblock % kMiniblockSizeUnit == 0)
        sizes.push_back({block_size, miniblock});
    };
    if (miniblocks) return add(*miniblocks);
    // The usual four first: they stay where others are not smaller.
    for (const std::uint64_t parts : {4, 1, 2}) add(parts);
    for (std::uint64_t parts = 8; parts <= block_size / kMiniblockSizeUnit; parts *= 2) add(parts);
  };
  if (block) {
    add_for(*block);
    if (sizes.empty())
      return std::unexpected("the miniblocks do not divide the block into multiples of 32 values");
  } else {
    std::uint64_t smallest = kBlockSizeUnit;
    while (miniblocks && smallest % (*miniblocks * kMiniblockSizeUnit) != 0) smallest += kBlockSizeUnit;
    for (std::uint64_t size = smallest; size == smallest || size <= kLargestBlock; size *= 2) add_for(size);
  }
  return sizes;
}

// Bytes of all blocks.
template <std::unsigned_integral U>
std::uint64_t DeltaStreamEncoder<U>::bytes_of(const Sizes& sizes) const noexcept {
  std::uint64_t bytes = uleb_bytes(sizes.block, options_->varint_bytes) +
                        uleb_bytes(sizes.block / sizes.miniblock, options_->varint_bytes);
  const auto per_block = static_cast<std::size_t>(sizes.block / kUnit);
  const auto per_miniblock = static_cast<std::size_t>(sizes.miniblock / kUnit);
  for (std::size_t first = 0; first < ranges_.size(); first += per_block) {
    const std::size_t last = std::min(first + per_block, ranges_.size());
    const U reference = reference_of(range_of(first, last));
    bytes +=
        uleb_bytes(zigzag(static_cast<S>(reference)), options_->varint_bytes) + sizes.block / sizes.miniblock;
    for (std::size_t at = first; at < last; at += per_miniblock) {
      bytes += sizes.miniblock / 8 * width_of(range_of(at, std::min(at + per_miniblock, last)), reference);
    }
  }
  return bytes;
}

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::append_block(std::size_t first, const Sizes& sizes,
                                         std::vector<std::uint8_t>& out) {
  const auto per_miniblock = static_cast<std::size_t>(sizes.miniblock / kUnit);
  const std::size_t last = std::min(first + static_cast<std::size_t>(sizes.block / kUnit), ranges_.size());
  const U reference = reference_of(range_of(first, last));
  append_uleb(out, zigzag(static_cast<S>(reference)), options_->varint_bytes);
  const std::size_t widths = out.size();
  out.resize(widths + static_cast<std::size_t>(sizes.block / sizes.miniblock), options_->padding);
  for (std::size_t at = first; at < last; at += per_miniblock) {
    const unsigned width = width_of(range_of(at, std::min(at + per_miniblock, last)), reference);
    out[widths + (at - first) / per_miniblock] = static_cast<std::uint8_t>(width);
    const std::size_t begin = at * kUnit;
    const std::size_t end = std::min(begin + static_cast<std::size_t>(sizes.miniblock), numbers_.size());
    const auto deltas = std::span<const U>(numbers_).subspan(begin, end - begin);
    append_packed(out, deltas, width, sizes.miniblock, options_->padding, reference);
  }
}

template <std::unsigned_integral U>
EncodeStatus DeltaStreamEncoder<U>::finish(std::vector<std::uint8_t>& out) {
  if (numbers_.size() > kMaxCount) return std::unexpected("more than 2147483647 values in a delta stream");
  const auto allowed = choices();
  if (!allowed) return std::unexpected(allowed.error());
  const std::size_t count = numbers_.size();
  survey();
  const Sizes* best = &allowed->front();
  if (allowed->size() > 1) {
    std::uint64_t fewest = UINT64_MAX;
    for (const Sizes& sizes : *allowed) {
      if (const std::uint64_t bytes = bytes_of(sizes); bytes < fewest) {
        fewest = bytes;
        best = &sizes;
      }
    }
  }
  const auto append = [&](std::uint64_t number) { append_uleb(out, number, options_->varint_bytes); };
  append(best->block);
  append(best->block / best->miniblock);
  append(count);
  append(zigzag(static_cast<S>(first_)));
  for (std::size_t first = 0; first < ranges_.size();
       first += static_cast<std::size_t>(best->block / kUnit)) {
    append_block(first, *best, out);
  }
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

template class DeltaStreamEncoder<std::uint32_t>;
template class DeltaStreamEncoder<std::uint64_t>;
template class DeltaBinaryPackedEncoder<std::uint32_t>;
template class DeltaBinaryPackedEncoder<std::uint64_t>;

}  // namespace parqproof
