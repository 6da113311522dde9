#include "codec/base/large_pages.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace parqproof {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kSmallPage = std::size_t{1} << 12;

}  // namespace

void* allocate_large(std::size_t bytes) noexcept {
  // malloc's family, because free() need not be told how a piece was aligned.
  if (bytes < kLargePage || bytes > PTRDIFF_MAX - kLargePage) return std::malloc(bytes);  // NOLINT: see above
  const std::size_t pages = (bytes + kSmallPage - 1) / kSmallPage * kSmallPage;
  void* memory = std::aligned_alloc(kLargePage, pages);
  if (memory != nullptr) ::madvise(memory, pages, MADV_HUGEPAGE);  // a wish; all is well without
  return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }  // NOLINT: as allocated

}  // namespace parqproof
