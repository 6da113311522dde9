#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/page/regions.hpp"
#include "conformance/chunk/doubts.hpp"

namespace parqproof {

/// Finds the wrong offset or length in the footer if a page index, a Bloom filter or pages are not at their
/// stated place. A length is accepted if the structure at the stated offset is intact with it (the length of
/// pages is judged elsewhere). An offset is accepted if a structure of exactly the stated length is there, in
/// unreferenced bytes next to another structure. Thread-safe.
class RegionFinder final {
 public:
  using Probe = ChunkDoubts::Probe;

  /// `regions` are those of the file as stated by the footer, and must outlive this object. Data is in
  /// [begin, end).
  RegionFinder(const RegionMap& regions, std::uint64_t begin, std::uint64_t end)
      : regions_(regions), begin_(begin), end_(end) {}

  [[nodiscard]] const RegionMap& regions() const noexcept { return regions_; }
  /// Returns the largest end, at most `offset`, of a structure of known length, or `otherwise` if there is
  /// none.
  [[nodiscard]] std::uint64_t previous_end(std::uint64_t offset, std::uint64_t otherwise) const;

  /// Returns `region` with the corrected number; nullopt if there is no solution, or more than one. The total
  /// bytes read by `probe` are limited in proportion to the file size.
  [[nodiscard]] std::optional<Region> find(const Region& region, const Probe& probe) const;

 private:
  /// Bytes that no structure uses.
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
  };
  class Search;

  template <typename SomeRegions>
  static std::vector<Gap> gaps_between(SomeRegions&& regions, std::uint64_t begin, std::uint64_t end);
  // The lists are built on first use, because most files are valid.
  [[nodiscard]] const std::vector<Gap>& gaps() const;
  [[nodiscard]] const std::vector<std::uint64_t>& ends() const;

  const RegionMap& regions_;
  std::uint64_t begin_;
  std::uint64_t end_;
  mutable std::once_flag gaps_made_;
  mutable std::vector<Gap> gaps_;  // sorted by size
  mutable std::once_flag ends_made_;
  mutable std::vector<std::uint64_t> ends_;  // sorted
};

/// Sets `walk`, which must not have started, to the start of the pages of a chunk. Either the offsets in the
/// metadata are wrong, or a page at them is damaged; total_compressed_size, the pages and the other
/// structures of the file are the evidence. `reader` is the reader of the walk.
void find_start(const ChunkScope& chunk, const RegionFinder& places, PageReader& reader, PageWalk& walk);

}  // namespace parqproof
