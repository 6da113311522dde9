#include "conformance/cli/heap.hpp"

#include <cstddef>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace parqproof::cli {

void bound_heap() noexcept {
#ifdef __GLIBC__
  constexpr int kMapped =
      4 << 20;  // buffers of this size are returned to the system; smaller ones cost less to keep
  constexpr int kKept = 16 << 20;  // bytes that are kept at the end of a heap
  mallopt(M_MMAP_THRESHOLD, kMapped);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace parqproof::cli
