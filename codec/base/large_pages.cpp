#include "codec/base/large_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace parqproof {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kWorthwhile =
    kLargePage / 8;  // clearing one large page costs less than clearing as many small ones

}  // namespace

void* allocate_large(std::size_t bytes) noexcept {
  // Memory of the malloc family, because free() does not need the alignment of a block.
  if (bytes < kWorthwhile || bytes > PTRDIFF_MAX - kLargePage)
    return std::malloc(bytes);  // NOLINT: see above
  void* memory = nullptr;
  // The remainder after the last large page uses small ones if it is less than three quarters of one. A block
  // below the size of a large page uses one.
  const std::size_t rest = bytes % kLargePage;
  const std::size_t pages =
      bytes < kLargePage || rest >= kLargePage / 4 * 3 ? bytes - rest + kLargePage : bytes;
  if (::posix_memalign(&memory, kLargePage, pages) != 0)
    return nullptr;                         // unlike aligned_alloc, accepts any size
  ::madvise(memory, pages, MADV_HUGEPAGE);  // only a hint; failure is harmless
  return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }  // NOLINT: allocated by malloc

}  // namespace parqproof
