#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace parqproof {

/// Room for elements that are written before they are read. It is as large as the most that was asked for,
/// and is never filled; it begins where a vector may be stored at once.
template <typename T>
class Room {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// Makes room for `count` elements; those before are lost.
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
