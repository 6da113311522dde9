#include "fuzz/memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

namespace {

thread_local std::uint64_t allocated = 0;
thread_local std::int64_t held = 0;
thread_local std::int64_t most_held = 0;
thread_local std::optional<std::uint8_t> filling;

void* counted(void* memory, std::size_t size) noexcept {
  if (memory == nullptr) return nullptr;
  allocated += size;
  held += static_cast<std::int64_t>(::malloc_usable_size(memory));
  most_held = std::max(most_held, held);
  if (filling) std::memset(memory, *filling, size);
  return memory;
}

void release(void* memory) noexcept {
  held -= static_cast<std::int64_t>(::malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

// The array forms call these.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size == 0 ? 1 : size), size);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  const auto align = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(align, (std::max<std::size_t>(size, 1) + align - 1) / align * align),
                 size);
}
void* operator new(std::size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* const memory = operator new(size, alignment, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { release(memory); }

namespace parqproof::fuzz {

std::uint64_t allocated_bytes() noexcept { return allocated; }

HeldBytes::HeldBytes() noexcept : before_(held) { most_held = held; }

std::uint64_t HeldBytes::most() const noexcept { return static_cast<std::uint64_t>(most_held - before_); }

FilledMemory::FilledMemory(std::uint8_t byte) noexcept { filling = byte; }
FilledMemory::~FilledMemory() { filling.reset(); }

}  // namespace parqproof::fuzz
