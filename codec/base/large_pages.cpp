#include "codec/base/large_pages.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace parqproof {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

}  // namespace

void* allocate_large(std::size_t bytes) noexcept {
  // malloc's family, because free() need not be told how a piece was aligned.
  if (bytes < kLargePage || bytes > PTRDIFF_MAX - kLargePage) return std::malloc(bytes);  // NOLINT: see above
  void* memory = nullptr;
  if (::posix_memalign(&memory, kLargePage, bytes) != 0) return nullptr;  // unlike aligned_alloc, of any size
  ::madvise(memory, bytes, MADV_HUGEPAGE);                                // a wish; all is well without
  return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }  // NOLINT: as allocated

}  // namespace parqproof
