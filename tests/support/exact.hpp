#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace support {

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
  [[nodiscard]] T* data() const noexcept { return values_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::vector<T> all() const { return {values_.get(), values_.get() + count_}; }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t count_;
};

}  // namespace support
