#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/kernel/kernels.hpp"

/// Kernels that are simple loops. They are inlined into a function of each target, and there the compiler
/// turns them into vectors of that target.
namespace parqproof::loops {

template <typename T>
[[gnu::always_inline]] inline Survey<T> survey(const T* values, std::size_t count) noexcept {
  T bits = 0;
  T min = values[0];
  for (std::size_t i = 0; i < count; ++i) {
    const T value = values[i];
    bits |= value;
    min = value < min ? value : min;
  }
  return {bits, min};
}

[[gnu::always_inline]] inline std::size_t count_equal32(const std::uint32_t* values, std::size_t count,
                                                        std::uint32_t value) noexcept {
  std::uint32_t equal = 0;  // as wide as the values, so that lanes match
  for (std::size_t i = 0; i < count; ++i) equal += values[i] == value ? 1 : 0;
  return equal;
}

template <NumberKey kKey, typename T>
[[gnu::always_inline]] inline KeyRange<T> key_range_of(const std::uint8_t* values,
                                                       std::size_t count) noexcept {
  T min = std::numeric_limits<T>::max();
  T max = std::numeric_limits<T>::min();
  for (std::size_t i = 0; i < count; ++i) {
    const T key = number_key<kKey>(load_le<T>(values + i * sizeof(T)));
    min = key < min ? key : min;
    max = key > max ? key : max;
  }
  return {min, max};
}
template <typename T>
[[gnu::always_inline]] inline KeyRange<T> key_range(const std::uint8_t* values, std::size_t count,
                                                    NumberKey key) noexcept {
  if (key == NumberKey::floating) return key_range_of<NumberKey::floating, T>(values, count);
  if (key == NumberKey::unsigned_int) return key_range_of<NumberKey::unsigned_int, T>(values, count);
  return key_range_of<NumberKey::signed_int, T>(values, count);
}

}  // namespace parqproof::loops
