#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace parqproof {

/// Chunks by their indexes in ParsedFooter::chunks, in ascending order. Chunks of one file are mostly
/// adjacent, so the list is kept as runs.
class ChunkList {
 public:
  /// Adds a chunk; its index is larger than those of all others in the list.
  void add(std::size_t chunk) {
    if (runs_.empty() || chunk != runs_.back().first + (size_ - runs_.back().before))
      runs_.push_back({chunk, size_});
    ++size_;
  }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The i-th chunk of the list.
  [[nodiscard]] std::size_t operator[](std::size_t i) const noexcept {
    const Run& run = *std::prev(std::ranges::upper_bound(runs_, i, {}, &Run::before));
    return run.first + (i - run.before);
  }

 private:
  struct Run {
    std::size_t first;   ///< its first chunk
    std::size_t before;  ///< chunks of the list before it
  };
  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

}  // namespace parqproof
