#pragma once

namespace parqproof::cli {

/// Bounds the free memory that the allocator keeps. By default glibc keeps buffers of the size of the largest
/// so far in the heap of each thread, so that a run over many files takes a multiple of what its largest file
/// does.
void bound_heap() noexcept;

}  // namespace parqproof::cli
