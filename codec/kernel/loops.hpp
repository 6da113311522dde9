#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/kernel/bloom_bits.hpp"
#include "codec/kernel/kernels.hpp"

/// Kernels that are simple loops. They are inlined into a function for each target, where the compiler
/// vectorizes them.
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

[[gnu::always_inline]] inline LevelTally tally_levels(const std::uint32_t* repetition,
                                                      const std::uint32_t* definition, std::size_t count,
                                                      std::uint32_t previous,
                                                      const LevelBounds& bounds) noexcept {
  std::uint32_t rows = 0;  // as wide as the levels, so that lanes match
  std::uint32_t stored = 0;
  std::uint32_t null_leaves = 0;
  std::uint32_t elements = 0;
  for (std::size_t i = 0; i < count; ++i) {
    stored += definition[i] == bounds.max_definition ? 1U : 0U;
    null_leaves += definition[i] + 1 == bounds.max_definition ? 1U : 0U;
    elements += definition[i] >= bounds.element ? 1U : 0U;
  }
  if (repetition == nullptr) return {count, stored, null_leaves, elements, true};
  for (std::size_t i = 0; i < count; ++i) rows += repetition[i] == 0 ? 1U : 0U;
  bool wrong = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t lower = definition[i] < previous ? definition[i] : previous;
    wrong |= lower < bounds.reached[repetition[i]];
    previous = definition[i];
  }
  return {rows, stored, null_leaves, elements, !wrong};
}

/// XXH64 of values of one 4-byte or 8-byte word each.
template <typename T>
[[gnu::always_inline]] inline void hash(const std::uint8_t* values, std::size_t count,
                                        std::uint64_t* out) noexcept {
  using xxhash::kPrime1;
  using xxhash::kPrime2;
  using xxhash::kPrime3;
  using xxhash::kPrime4;
  using xxhash::kPrime5;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t word = load_le<T>(values + i * sizeof(T));
    std::uint64_t hash = kPrime5 + sizeof(T);
    if constexpr (sizeof(T) == 8) {
      hash ^= std::rotl(word * kPrime2, 31) * kPrime1;
      hash = std::rotl(hash, 27) * kPrime1 + kPrime4;
    } else {
      hash ^= word * kPrime1;
      hash = std::rotl(hash, 23) * kPrime2 + kPrime3;
    }
    hash = (hash ^ hash >> 33) * kPrime2;
    hash = (hash ^ hash >> 29) * kPrime3;
    out[i] = hash ^ hash >> 32;
  }
}

/// Computes (((value * base + code) * base + code) ...), four steps at once, so that only one product depends
/// on the previous one.
inline std::uint64_t add_codes(std::uint64_t value, std::uint64_t base, const std::uint64_t* codes,
                               std::size_t count) noexcept {
  const std::uint64_t two = base * base;
  const std::uint64_t three = two * base;
  const std::uint64_t four = two * two;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    value = value * four + (codes[i] * three + codes[i + 1] * two + (codes[i + 2] * base + codes[i + 3]));
  }
  for (; i < count; ++i) value = value * base + codes[i];
  return value;
}

/// Number of pairs whose codes are collected before they are added.
inline constexpr std::size_t kCodes = 1024;

[[gnu::always_inline]] inline void print(const std::uint32_t* repetition, const std::uint32_t* definition,
                                         std::size_t count, const LevelProjection& ancestor,
                                         LevelPrint& print) noexcept {
  std::array<std::uint64_t, kCodes> codes;
  for (std::size_t from = 0; from < count; from += kCodes) {
    const std::size_t until = std::min(count, from + kCodes);
    std::size_t kept = 0;
    for (std::size_t i = from; i < until; ++i) {
      codes[kept] = LevelPrint::code(repetition[i], std::min(definition[i], ancestor.definition));
      kept += repetition[i] <= ancestor.repetition ? 1 : 0;
    }
    print.first = add_codes(print.first, LevelPrint::kFirstBase, codes.data(), kept);
    print.second = add_codes(print.second, LevelPrint::kSecondBase, codes.data(), kept);
  }
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

template <typename T, typename S>
[[gnu::always_inline]] inline KeyRange<S> difference_some(T* values, std::size_t count) noexcept {
  S min = std::numeric_limits<S>::max();
  S max = std::numeric_limits<S>::min();
  for (std::size_t i = 0; i < count; ++i) {
    const T difference = values[i + 1] - values[i];
    values[i] = difference;
    const auto key = static_cast<S>(difference);
    min = key < min ? key : min;
    max = key > max ? key : max;
  }
  return {min, max};
}
template <typename T, typename S>
[[gnu::always_inline]] inline void difference(T* values, std::size_t count, KeyRange<S>* ranges) noexcept {
  std::size_t i = 0;
  for (; i + kDifferences <= count; i += kDifferences) {
    *ranges++ = difference_some<T, S>(values + i, kDifferences);  // a constant count, so the loop is unrolled
  }
  if (i < count) *ranges = difference_some<T, S>(values + i, count - i);
}

template <typename F, typename T>
[[gnu::always_inline]] inline void alp_decode(const T* integers, std::size_t count, T reference,
                                              const AlpScale<F>& scale, F* out) noexcept {
  const F up = scale.back_up;
  const F down = scale.back_down;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<F>(static_cast<AlpInteger<F>>(integers[i] + reference)) * up * down;
  }
}

/// Adds one number to the statistics.
template <typename F>
[[gnu::always_inline]] inline void alp_encode_one(F value, const AlpScale<F>& scale, AlpInteger<F>& integer,
                                                  std::uint8_t& exact, AlpFit<AlpInteger<F>>& fit) noexcept {
  exact = scale.find_integer(value, integer) ? 1 : 0;
  if (exact == 0) return;
  ++fit.exact;
  fit.range.min = integer < fit.range.min ? integer : fit.range.min;
  fit.range.max = integer > fit.range.max ? integer : fit.range.max;
}
template <typename F>
[[gnu::always_inline]] inline AlpFit<AlpInteger<F>> alp_encode(const F* values, std::size_t count,
                                                               const AlpScale<F>& scale,
                                                               AlpInteger<F>* integers,
                                                               std::uint8_t* exact) noexcept {
  AlpFit<AlpInteger<F>> fit;
  for (std::size_t i = 0; i < count; ++i) alp_encode_one(values[i], scale, integers[i], exact[i], fit);
  return fit;
}

}  // namespace parqproof::loops
