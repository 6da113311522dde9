#pragma once

#include <algorithm>
#include <catch2/catch_message.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "codec/kernel/kernels.hpp"

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

/// Memory of exactly so many values, so that a sanitizer detects accesses beyond them. It is
/// filled with `fill`.
template <typename T>
class Exact {
 public:
  explicit Exact(std::size_t count, int fill = 0) : values_(new T[count]), count_(count) {
    if (count != 0) std::memset(static_cast<void*>(values_.get()), fill, count * sizeof(T));
  }
  explicit Exact(const std::vector<T>& values) : Exact(values.size()) {
    std::copy(values.begin(), values.end(), values_.get());
  }
  [[nodiscard]] T* data() noexcept { return values_.get(); }
  [[nodiscard]] std::vector<T> all() const { return {values_.get(), values_.get() + count_}; }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t count_;
};

/// Memory is filled with each of these values before a kernel writes to it.
inline constexpr int kFills[] = {0x00, 0xA5};

}  // namespace parqproof
