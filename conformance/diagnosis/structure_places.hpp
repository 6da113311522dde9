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

/// Finds the number of the footer that lies, where a page index or a Bloom filter cannot be read at its
/// place, or pages are not at theirs. One other number makes the structure whole: a length with which it ends
/// where it ends by itself (the length of pages is judged elsewhere), or the offset of bytes that no other
/// structure claims, next to one that does, where a structure of just the stated length stands. Threads may
/// ask at the same time.
class RegionFinder final {
 public:
  using Probe = ChunkDoubts::Probe;

  /// `regions`: of the file, as the footer states them; they outlive this object. Data is in the bytes from
  /// `begin` up to `end`.
  RegionFinder(const RegionMap& regions, std::uint64_t begin, std::uint64_t end)
      : regions_(regions), begin_(begin), end_(end) {}

  [[nodiscard]] const RegionMap& regions() const noexcept { return regions_; }
  /// The last end of a structure of known length that lies wholly at or before `offset`, or `otherwise`.
  [[nodiscard]] std::uint64_t previous_end(std::uint64_t offset, std::uint64_t otherwise) const;

  /// `region` with the one number set right; nothing where none or several would do. What `probe` reads stays
  /// within a share of the file's size, however many structures are asked about.
  [[nodiscard]] std::optional<Region> find(const Region& region, const Probe& probe) const;

 private:
  /// Bytes that no structure claims.
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
  };
  class Search;

  // Most files are sound, so neither list is made before it is asked for.
  [[nodiscard]] const std::vector<Gap>& gaps() const;
  [[nodiscard]] const std::vector<std::uint64_t>& ends() const;

  const RegionMap& regions_;
  std::uint64_t begin_;
  std::uint64_t end_;
  mutable std::once_flag gaps_made_;
  mutable std::vector<Gap> gaps_;  // by their size
  mutable std::once_flag ends_made_;
  mutable std::vector<std::uint64_t> ends_;  // sorted
};

}  // namespace parqproof
