#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

/// Memory for data that grows with the footer. Large blocks ask the system for large pages, which cost fewer
/// page faults.
namespace parqproof {

/// Allocates `bytes` uninitialized bytes, aligned for any type. Returns null if there is no memory.
[[nodiscard]] void* allocate_large(std::size_t bytes) noexcept;
/// Frees memory of allocate_large(); null is ignored.
void free_large(void* memory) noexcept;

struct FreeLarge {
  void operator()(void* memory) const noexcept { free_large(memory); }
};
using LargeBytes = std::unique_ptr<std::uint8_t[], FreeLarge>;

/// Allocator for containers of many small items.
template <typename T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() noexcept = default;
  template <typename U>
  explicit(false) LargeAllocator(const LargeAllocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    void* memory = count > SIZE_MAX / sizeof(T) ? nullptr : allocate_large(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { free_large(memory); }

  friend bool operator==(const LargeAllocator&, const LargeAllocator&) noexcept { return true; }
};

}  // namespace parqproof
