#pragma once

namespace parqproof::cli {

/// Limits the free memory that the allocator keeps. By default glibc keeps buffers of the largest size so far
/// in the heap of each thread, so that a run over many files takes a multiple of the memory of its largest
/// file.
void bound_heap() noexcept;

}  // namespace parqproof::cli
