#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kBitBatch = 4096;  // values of one bit that are packed at once

// Returns the number of values in the leading groups of unequal values, which are bit-packed without checking
// each value.
std::size_t mixed_groups(std::span<const std::uint32_t> values) noexcept {
  std::size_t mixed = 0;
  for (; values.size() - mixed >= kGroupValues; mixed += kGroupValues) {
    std::uint32_t differing = 0;
    for (std::size_t i = 1; i < kGroupValues; ++i) differing |= values[mixed + i] ^ values[mixed];
    if (differing == 0) break;
  }
  return mixed;
}

// Returns how many leading values are equal.
std::size_t equal_values(std::span<const std::uint32_t> values) noexcept {
  const auto other = std::ranges::find_if(values, [&](std::uint32_t value) { return value != values[0]; });
  return static_cast<std::size_t>(other - values.begin());
}

// Returns 57 or more bits from bit `first` on; the 8 bytes from its byte on are readable.
std::uint64_t bits_at(const std::uint8_t* bits, std::size_t first) noexcept {
  return load_le<std::uint64_t>(bits + first / 8) >> first % 8;
}

// Same as mixed_groups() for the bits [first, count).
std::size_t mixed_bits(const std::uint8_t* bits, std::size_t first, std::size_t count) noexcept {
  std::size_t end = first;
  for (; count - end >= kGroupValues; end += kGroupValues) {
    const auto group = static_cast<std::uint8_t>(bits_at(bits, end));
    if (group == 0 || group == 0xFF) break;
  }
  return end - first;
}

// Same as equal_values() for the bits [first, count).
std::size_t equal_bits(const std::uint8_t* bits, std::size_t first, std::size_t count) noexcept {
  constexpr std::size_t kSure = 56;
  const std::uint64_t flip = (bits_at(bits, first) & 1) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t at = first; at < count; at += kSure) {
    const auto equal = static_cast<std::size_t>(std::countr_zero(bits_at(bits, at) ^ flip));
    if (equal < kSure) return std::min(at + equal, count) - first;
  }
  return count - first;
}

}  // namespace

void HybridEncoder::open(unsigned bit_width, const EncodeOptions& options, std::vector<std::uint8_t>& out) {
  using Runs = EncodeOptions::Runs;
  options_ = &options;
  out_ = &out;
  bit_width_ = bit_width;
  max_packed_groups_ = std::max<std::uint64_t>(1, options.longest_run / kGroupValues);
  const bool packed_only = options.runs == Runs::packed || options.longest_run < kGroupValues;
  min_repeated_values_ = options.runs == Runs::repeated ? 1 : packed_only ? UINT64_MAX : kGroupValues;
  equal_count_ = 0;
  in_group_ = 0;
  packed_groups_ = 0;
}

void HybridEncoder::add(std::uint32_t value, std::uint64_t count) {
  if (count == 0) return;
  if (equal_count_ != 0 && equal_value_ != value) end_equal();
  if (in_group_ != 0) {
    const std::uint64_t missing = std::min<std::uint64_t>(count, kGroupValues - in_group_);
    pack(value, missing);
    count -= missing;
  }
  equal_value_ = value;
  equal_count_ += count;
}

void HybridEncoder::add(std::span<const std::uint32_t> values) {
  std::array<std::uint8_t, kBitBatch / 8 + 8> bits;
  while (!values.empty()) {
    // Values of one bit are packed first, so that equal ones are found by words.
    const bool by_bits = bit_width_ == 1;
    const std::span<const std::uint32_t> some =
        by_bits ? values.first(std::min(values.size(), kBitBatch)) : values;
    if (by_bits) {
      kernels().pack32(some.data(), 0, 1, some.size(), bits.data());
      std::memset(bits.data() + ceil_div(some.size(), 8), 0, 8);
    }
    for (std::size_t at = 0; at != some.size();) {
      const std::span<const std::uint32_t> rest = some.subspan(at);
      if (equal_count_ == 0 && in_group_ == 0 && min_repeated_values_ >= kGroupValues) {
        const std::size_t mixed = by_bits ? mixed_bits(bits.data(), at, some.size()) : mixed_groups(rest);
        if (mixed != 0) pack_groups(rest.first(mixed));
        at += mixed;
        if (mixed != 0) continue;
      }
      const std::size_t equal = by_bits ? equal_bits(bits.data(), at, some.size()) : equal_values(rest);
      add(rest[0], equal);
      at += equal;
    }
    values = values.subspan(some.size());
  }
}

void HybridEncoder::finish() {
  end_equal();
  if (in_group_ != 0) pack_groups(std::span(group_).first(in_group_));
  close_packed();
}

// Writes the equal values when another value or the end of the stream follows.
void HybridEncoder::end_equal() {
  if (equal_count_ >= min_repeated_values_) {
    append_repeated(equal_value_, equal_count_);
  } else {
    pack(equal_value_, equal_count_);
  }
  equal_count_ = 0;
}

void HybridEncoder::append_repeated(std::uint32_t value, std::uint64_t count) {
  close_packed();
  for (std::uint64_t left = count; left != 0;) {
    const std::uint64_t run = std::min<std::uint64_t>(left, options_->longest_run);
    append_uleb(*out_, run << 1, options_->varint_bytes);
    append_le(*out_, value, static_cast<unsigned>(ceil_div(bit_width_, 8)));
    left -= run;
  }
}

// Adds equal values to the incomplete group, and to groups after it.
void HybridEncoder::pack(std::uint32_t value, std::uint64_t count) {
  if (in_group_ == 0 && count >= kGroupValues) {
    std::vector<std::uint8_t> group;
    group_.fill(value);
    append_packed(group, std::span<const std::uint32_t>(group_), bit_width_, kGroupValues, 0);
    for (std::uint64_t left = count / kGroupValues; left != 0;) {
      const std::uint64_t groups = open_packed(left);
      append_copies(*out_, group, groups);
      left -= groups;
    }
    count %= kGroupValues;
  }
  for (; count != 0; --count) group_[in_group_++] = value;
  if (in_group_ == kGroupValues) pack_groups(group_);
}

// Adds groups, the last of which may be incomplete, to the bit-packed run.
void HybridEncoder::pack_groups(std::span<const std::uint32_t> values) {
  in_group_ = 0;
  while (!values.empty()) {
    const std::uint64_t groups = open_packed(ceil_div(values.size(), kGroupValues));
    const auto some = values.first(std::min(values.size(), static_cast<std::size_t>(groups) * kGroupValues));
    append_packed(*out_, some, bit_width_, groups * kGroupValues, options_->padding);
    values = values.subspan(some.size());
  }
}

// Returns how many of `groups` fit into the open bit-packed run. Opens a new run if none is open.
std::uint64_t HybridEncoder::open_packed(std::uint64_t groups) {
  if (packed_groups_ == max_packed_groups_) close_packed();
  if (packed_groups_ == 0) {
    packed_header_ = out_->size();
    out_->push_back(0);  // placeholder: close_packed() writes the header
  }
  const std::uint64_t taken = std::min(groups, max_packed_groups_ - packed_groups_);
  packed_groups_ += taken;
  return taken;
}

void HybridEncoder::close_packed() {
  if (packed_groups_ == 0) return;
  if (packed_groups_ < 64 && options_->varint_bytes == 1) {  // most headers have one byte
    (*out_)[packed_header_] = static_cast<std::uint8_t>(packed_groups_ << 1 | 1);
    packed_groups_ = 0;
    return;
  }
  std::vector<std::uint8_t> header;
  append_uleb(header, packed_groups_ << 1 | 1, options_->varint_bytes);
  (*out_)[packed_header_] = header.front();
  out_->insert(out_->begin() + static_cast<std::ptrdiff_t>(packed_header_) + 1, header.begin() + 1,
               header.end());
  packed_groups_ = 0;
}

}  // namespace parqproof
