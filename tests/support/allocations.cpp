#include "tests/support/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocated = 0;

}  // namespace

// The other forms of new and delete end in these.
void* operator new(std::size_t size) {
  allocated += size;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace parqproof::test {

std::uint64_t allocated_bytes() noexcept { return allocated; }

}  // namespace parqproof::test
