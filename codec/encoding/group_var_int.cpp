#include "codec/encoding/group_var_int.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"

namespace parqproof {
namespace {

/// Layout of a group. Codes are stored in the selector from the highest used bit downwards; a code is length
/// - 1. are length - 1.
template <std::unsigned_integral U>
struct Group {
  static constexpr unsigned kValues = sizeof(U) == 4 ? 4 : 5;
  static constexpr unsigned kCodeBits = sizeof(U) == 4 ? 2 : 3;
  static constexpr unsigned kSelectorBytes = sizeof(U) == 4 ? 1 : 2;

  static constexpr unsigned length(unsigned selector, unsigned i) noexcept {
    return (selector >> (kCodeBits * (kValues - 1 - i)) & ((1U << kCodeBits) - 1)) + 1;
  }
};

// Returns the bytes that a number needs, at least one.
template <std::unsigned_integral U>
constexpr unsigned bytes_of(U value) noexcept {
  return std::max(1U, static_cast<unsigned>(ceil_div(bit_width_for(value), 8)));
}

constexpr unsigned kUnusedSelectorBit = 0x8000;

}  // namespace

template <std::unsigned_integral U>
Status GroupVarIntDecoder<U>::open(const Section& section) {
  bytes_ = section.bytes;
  notes_ = &section.notes;
  left_ = section.spec.count;
  position_ = 0;
  little_endian_ = section.spec.selector_little_endian;
  return {};
}

template <std::unsigned_integral U>
void GroupVarIntDecoder<U>::note(NotedRule rule, std::size_t position, std::uint32_t length,
                                 std::uint64_t found, std::uint64_t expected) noexcept {
  notes_->add(rule, bytes_.part(position, length), found, expected);
}

template <std::unsigned_integral U>
Status GroupVarIntDecoder<U>::read_group() {
  using G = Group<U>;
  const std::size_t available = bytes_.size() - position_;
  const auto cut = [&](std::size_t needed) {
    return std::unexpected(Error::at(Rule::group_var_int_group, bytes_.from(position_), available, needed));
  };
  // group-var-int/group
  if (available < G::kSelectorBytes) return cut(G::kSelectorBytes + G::kValues);
  unsigned selector = bytes_.bytes[position_];
  if constexpr (G::kSelectorBytes == 2) {
    const unsigned second = bytes_.bytes[position_ + 1];
    selector = little_endian_ ? selector | second << 8 : selector << 8 | second;
    // group-var-int/selector-bit
    if ((selector & kUnusedSelectorBit) != 0) {
      note(Rule::group_var_int_selector_bit, position_ + (little_endian_ ? 1 : 0), 1, 1, 0);
    }
  }
  std::size_t size = G::kSelectorBytes;
  for (unsigned i = 0; i < G::kValues; ++i) size += G::length(selector, i);
  if (available < size) return cut(size);
  std::size_t at = position_ + G::kSelectorBytes;
  for (unsigned i = 0; i < G::kValues; ++i) {
    const unsigned length = G::length(selector, i);
    U value = 0;
    std::memcpy(&value, bytes_.data() + at, length);
    if (i < left_) {
      values_[filled_ + i] = value;
      // group-var-int/shortest
      if (const unsigned needed = bytes_of(value); needed < length) {
        note(Rule::group_var_int_shortest, at, length, length, needed);
      }
    } else if (value != 0) {
      // group-var-int/padding
      note(Rule::group_var_int_padding, at, length, value, 0);
    }
    at += length;
  }
  const std::uint64_t taken = std::min<std::uint64_t>(G::kValues, left_);
  filled_ += static_cast<std::size_t>(taken);
  left_ -= taken;
  position_ = at;
  return {};
}

template <std::unsigned_integral U>
Result<ValueBatch> GroupVarIntDecoder<U>::next() {
  ValueBatch batch;
  batch.offset = bytes_.base + position_;
  filled_ = 0;
  while (left_ != 0 && filled_ + Group<U>::kValues <= kBatchValues) {
    if (const Status group = read_group(); !group) {
      left_ = 0;
      return std::unexpected(group.error());
    }
  }
  batch.count = filled_;
  batch.fixed = reinterpret_cast<const std::uint8_t*>(values_.data());
  return batch;
}

template <std::unsigned_integral U>
Status GroupVarIntDecoder<U>::end() const noexcept {
  return Section::fully_used(bytes_.from(position_));
}

template <std::unsigned_integral U>
EncodeStatus GroupVarIntEncoder<U>::open(const NewSection& section) {
  out_ = &section.out;
  little_endian_ = section.options.selector_little_endian;
  padding_ = section.options.padding;
  spare_bits_ = section.options.spare_bits;
  held_ = 0;
  return {};
}

// Returns the bytes in which a number is encoded.
template <std::unsigned_integral U>
unsigned GroupVarIntEncoder<U>::length_of(U number) const noexcept {
  const unsigned bits = std::min<unsigned>(bit_width_for(number) + spare_bits_, sizeof(U) * 8);
  return std::max(1U, static_cast<unsigned>(ceil_div(bits, 8)));
}

template <std::unsigned_integral U>
void GroupVarIntEncoder<U>::append_group() {
  using G = Group<U>;
  unsigned selector = 0;
  for (unsigned i = 0; i < G::kValues; ++i) selector = selector << G::kCodeBits | (length_of(group_[i]) - 1);
  if (G::kSelectorBytes == 2 && !little_endian_) selector = (selector & 0xFFU) << 8 | selector >> 8;
  append_le(*out_, selector, G::kSelectorBytes);
  for (unsigned i = 0; i < G::kValues; ++i) append_le(*out_, group_[i], length_of(group_[i]));
  held_ = 0;
}

template <std::unsigned_integral U>
EncodeStatus GroupVarIntEncoder<U>::add(const ValueBatch& batch) {
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    group_[held_++] = load_le<U>(batch.fixed + i * sizeof(U));
    if (held_ == Group<U>::kValues) append_group();
  }
  return {};
}

template <std::unsigned_integral U>
EncodeStatus GroupVarIntEncoder<U>::finish() {
  if (held_ == 0) return {};
  std::fill(group_.begin() + held_, group_.end(), U{padding_});
  append_group();
  return {};
}

template class GroupVarIntDecoder<std::uint32_t>;
template class GroupVarIntDecoder<std::uint64_t>;
template class GroupVarIntEncoder<std::uint32_t>;
template class GroupVarIntEncoder<std::uint64_t>;

}  // namespace parqproof
