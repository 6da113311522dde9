#pragma once

#include <cstddef>
#include <type_traits>

namespace parqproof {

/// Room for `N` elements that are written before they are read: making it touches no memory.
template <typename T, std::size_t N>
class Unfilled {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Unfilled() noexcept {}  // NOLINT(modernize-use-equals-default): there would be none

  [[nodiscard]] T* data() noexcept { return elements_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return elements_[i]; }

 private:
  union {
    T elements_[N];
  };
};

}  // namespace parqproof
