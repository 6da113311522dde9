#pragma once

#include <catch2/catch_message.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "codec/kernel/kernels.hpp"
#include "tests/support/exact.hpp"

namespace parqproof {

inline std::mt19937_64 random_numbers(20130730);

template <typename T>
[[nodiscard]] std::vector<T> random_vector(std::size_t count) {
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random_numbers());
  return values;
}

// Counts around the multiples of the widths of kernels.
inline const std::vector<std::size_t> kCounts = [] {
  std::vector<std::size_t> counts(20);
  std::iota(counts.begin(), counts.end(), 0);
  for (const std::size_t multiple : {32UL, 64UL, 96UL, 128UL, 512UL, 1024UL}) {
    for (const std::size_t near : {multiple - 1, multiple, multiple + 1, multiple + 7})
      counts.push_back(near);
  }
  return counts;
}();

// Calls `use` for each set but the reference.
template <typename Use>
void for_each_fast(Use use) {
  for (const Kernels* set : all_kernels().subspan(1)) {
    INFO("kernels: " << set->name);
    use(*set);
  }
}

using support::Exact;

/// Byte arrays of these sizes, one after another.
[[nodiscard]] inline std::vector<ByteArray> back_to_back(const std::uint8_t* at,
                                                         const std::vector<std::uint32_t>& sizes) {
  std::vector<ByteArray> values;
  for (const std::uint32_t size : sizes) {
    values.push_back({at, size});
    at += size;
  }
  return values;
}

/// Widths of values in streams: powers of two, their neighbours, and more bytes than a vector has.
inline constexpr std::uint32_t kSplitWidths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12,
                                                 13, 15, 16, 17, 20, 31, 32, 33, 64, 70};

/// Memory is filled with each of these values before a kernel writes to it.
inline constexpr int kFills[] = {0x00, 0xA5};

}  // namespace parqproof
