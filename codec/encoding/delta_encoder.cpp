#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "codec/base/bits.hpp"
#include "codec/encoding/delta_binary_packed.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kUnit = kDifferences;  // deltas of a range
static_assert(kUnit == kMiniblockSizeUnit);
// Sizes that are tried: these multiples of powers of two, in blocks of up to so many values; larger ones as
// far as there are values, in large miniblocks alone.
constexpr std::uint64_t kMultiples[] = {1, 3, 5, 7, 9, 11, 13, 15};
constexpr std::uint64_t kLargestBlock = 32768;
constexpr std::uint64_t kLargeMiniblock = 4096;
constexpr std::uint64_t kMaxBlock = 1U << 20;  // of those that are written: a miniblock is written whole
constexpr std::uint64_t kMaxCount = INT32_MAX;

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
  joined_.clear();
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

// The ranges of `size` deltas each, the last of what is left: of two halves, or of units of 32.
template <std::unsigned_integral U>
auto DeltaStreamEncoder<U>::ranges_of(std::uint64_t size) -> const std::vector<Range>& {
  if (size == kUnit) return ranges_;
  const auto [entry, added] = joined_.try_emplace(size);
  std::vector<Range>& joined = entry->second;
  if (!added) return joined;
  const bool halves = size % (2 * kUnit) == 0;
  const std::vector<Range>& parts = halves ? ranges_of(size / 2) : ranges_;
  const std::uint64_t per_range = halves ? 2 : size / kUnit;
  joined.resize(static_cast<std::size_t>(ceil_div(parts.size(), per_range)));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Range& range = joined[static_cast<std::size_t>(i / per_range)];
    range = {std::min(range.min, parts[i].min), std::max(range.max, parts[i].max)};
  }
  return joined;
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
    const std::uint64_t least = block_size > kLargestBlock ? kLargeMiniblock : kMiniblockSizeUnit;
    for (std::uint64_t parts = 8; parts <= block_size / least; parts *= 2) add(parts);
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
    const std::uint64_t largest = std::clamp<std::uint64_t>(numbers_.size(), kLargestBlock, kMaxBlock);
    add_for(smallest);
    for (const std::uint64_t multiple : kMultiples) {
      for (std::uint64_t size = multiple == 1 ? 2 * smallest : multiple * smallest; size <= largest;
           size *= 2)
        add_for(size);
    }
  }
  return sizes;
}

// Bytes of all blocks.
template <std::unsigned_integral U>
std::uint64_t DeltaStreamEncoder<U>::bytes_of(const Sizes& sizes) {
  const std::uint64_t parts = sizes.block / sizes.miniblock;
  std::uint64_t bytes =
      uleb_size(sizes.block, options_->varint_bytes) + uleb_size(parts, options_->varint_bytes);
  const std::vector<Range>& miniblocks = ranges_of(sizes.miniblock);
  std::uint64_t widths = 0;
  std::size_t at = 0;
  for (const Range& block : ranges_of(sizes.block)) {
    const U reference = reference_of(block);
    bytes += uleb_size(zigzag(static_cast<S>(reference)), options_->varint_bytes) + parts;
    const std::size_t end = std::min(miniblocks.size(), at + static_cast<std::size_t>(parts));
    for (; at < end; ++at) widths += width_of(miniblocks[at], reference);
  }
  return bytes + sizes.miniblock / 8 * widths;
}

template <std::unsigned_integral U>
void DeltaStreamEncoder<U>::append_block(std::size_t block, const Sizes& sizes,
                                         std::vector<std::uint8_t>& out) {
  const auto parts = static_cast<std::size_t>(sizes.block / sizes.miniblock);
  const std::vector<Range>& miniblocks = ranges_of(sizes.miniblock);
  const U reference = reference_of(ranges_of(sizes.block)[block]);
  append_uleb(out, zigzag(static_cast<S>(reference)), options_->varint_bytes);
  const std::size_t widths = out.size();
  out.resize(widths + parts, options_->padding);
  for (std::size_t i = 0; i < parts && block * parts + i < miniblocks.size(); ++i) {
    const std::size_t miniblock = block * parts + i;
    const unsigned width = width_of(miniblocks[miniblock], reference);
    out[widths + i] = static_cast<std::uint8_t>(width);
    const std::size_t begin = miniblock * static_cast<std::size_t>(sizes.miniblock);
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
  const std::size_t blocks = ranges_of(best->block).size();
  for (std::size_t block = 0; block < blocks; ++block) append_block(block, *best, out);
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
