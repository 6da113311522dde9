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

void release(void* memory) noexcept {
  held -= static_cast<std::int64_t>(::malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

// The array forms end in these.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) return nullptr;
  allocated += size;
  held += static_cast<std::int64_t>(::malloc_usable_size(memory));
  most_held = std::max(most_held, held);
  if (filling) std::memset(memory, *filling, size);
  return memory;
}
void* operator new(std::size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }

namespace parqproof::fuzz {

std::uint64_t allocated_bytes() noexcept { return allocated; }

HeldBytes::HeldBytes() noexcept : before_(held) { most_held = held; }

std::uint64_t HeldBytes::most() const noexcept { return static_cast<std::uint64_t>(most_held - before_); }

FilledMemory::FilledMemory(std::uint8_t byte) noexcept { filling = byte; }
FilledMemory::~FilledMemory() { filling.reset(); }

}  // namespace parqproof::fuzz
