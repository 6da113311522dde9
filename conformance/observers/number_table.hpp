#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parqproof {

/// Numbers distinct values from 0 on, in the order in which they are added: a hash table with open addressing
/// that holds the numbers. The caller holds the values and compares them.
class NumberTable {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Makes room for `count` values in an empty table.
  void reserve(std::size_t count) { slots_.resize(std::bit_ceil(std::max(kSmallest, 2 * count))); }
  /// Takes constant time, except for a rare reset.
  void clear() noexcept {
    removed_ += static_cast<std::uint32_t>(size_);
    size_ = 0;
    if (removed_ <= UINT32_MAX / 2) return;
    std::ranges::fill(slots_, 0);
    removed_ = 0;
  }
  /// `is_value(number)`: returns true if the value with that number is the one with this hash.
  template <typename IsValue>
  [[nodiscard]] bool contains(std::size_t hash, IsValue&& is_value) const {
    return !slots_.empty() && slots_[slot_of(hash, is_value)] > removed_;
  }
  /// Gives the value the number size(). Returns false if it has a number already. `hash_of(number)`: the hash
  /// of an added value. At most 2^31 values.
  template <typename IsValue, typename HashOf>
  bool add(std::size_t hash, IsValue&& is_value, HashOf&& hash_of) {
    if (2 * (size_ + 1) > slots_.size()) grow(2 * slots_.size(), hash_of);
    std::uint32_t& slot = slots_[slot_of(hash, is_value)];
    if (slot > removed_) return false;
    slot = removed_ + static_cast<std::uint32_t>(++size_);
    return true;
  }

 private:
  static constexpr std::size_t kSmallest = 16;  // slots

  template <typename IsValue>
  [[nodiscard]] std::size_t slot_of(std::size_t hash, IsValue&& is_value) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] > removed_ && !is_value(static_cast<std::size_t>(slots_[at] - removed_ - 1)))
      at = (at + 1) & mask;
    return at;
  }

  template <typename HashOf>
  void grow(std::size_t slots, HashOf&& hash_of) {
    slots_.assign(std::max(kSmallest, slots), 0);
    removed_ = 0;
    for (std::size_t number = 0; number < size_; ++number) {
      const std::size_t at = slot_of(hash_of(number), [](std::size_t) { return false; });
      slots_[at] = static_cast<std::uint32_t>(number + 1);
    }
  }

  std::vector<std::uint32_t> slots_;  // a power of two, at most half of them taken: removed_ + number + 1
  std::uint32_t removed_ = 0;         // slots with at most this value are free
  std::size_t size_ = 0;
};

}  // namespace parqproof
