#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace parqproof {

/// Uninitialized memory for elements that are written before they are read. It keeps the largest size that
/// was requested. The first element is aligned for vector stores.
template <typename T>
class Room {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// Makes room for `count` elements; the previous elements are lost.
  void make(std::size_t count) {
    if (count <= size_) return;
    elements_.reset(static_cast<T*>(::operator new(count * sizeof(T), kAlignment)));
    size_ = count;
  }

  [[nodiscard]] T* data() noexcept { return elements_.get(); }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return elements_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return elements_[i]; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(T* elements) const noexcept { ::operator delete(elements, kAlignment); }
  };
  std::unique_ptr<T[], Free> elements_;
  std::size_t size_ = 0;
};

}  // namespace parqproof
