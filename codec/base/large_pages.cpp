#include "codec/base/large_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace parqproof {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kWorthwhile =
    kLargePage / 8;  // clearing one large page costs less than as many small ones

}  // namespace

void* allocate_large(std::size_t bytes) noexcept {
  // malloc's family, because free() need not be told how a piece was aligned.
  if (bytes < kWorthwhile || bytes > PTRDIFF_MAX - kLargePage)
    return std::malloc(bytes);  // NOLINT: see above
  void* memory = nullptr;
  // Less than a large page cannot be one; what goes beyond a whole one ends in small ones.
  const std::size_t pages = std::max(bytes, kLargePage);
  if (::posix_memalign(&memory, kLargePage, pages) != 0) return nullptr;  // unlike aligned_alloc, of any size
  ::madvise(memory, pages, MADV_HUGEPAGE);                                // a wish; all is well without
  return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }  // NOLINT: as allocated

}  // namespace parqproof
