#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/large_pages.hpp"

namespace parqproof {

/// A structure that the footer refers to, with its byte range.
struct Region {
  enum class Kind : std::uint8_t { column_chunk, column_index, offset_index, bloom_filter };

  std::uint64_t offset = 0;
  std::uint64_t length = 0;   ///< bytes of the structure itself, if it was read
  std::uint32_t surplus = 0;  ///< bytes after it that its stated length includes; 0 for pages
  std::uint32_t row_group = 0;
  std::uint32_t leaf = 0;
  Kind kind = Kind::column_chunk;
  bool encrypted = false;    ///< its bytes cannot be read without a key
  bool damaged = false;      ///< it could not be read, so its extent is no evidence against others
  bool length_known = true;  ///< false: only the offset is known (a Bloom filter without bloom_filter_length)

  [[nodiscard]] std::uint64_t end() const noexcept { return offset + length; }
};

using Regions = std::vector<Region, LargeAllocator<Region>>;

/// The regions of a file, sorted by offset.
class RegionMap {
 public:
  RegionMap() = default;
  explicit RegionMap(Regions regions);
  /// The caller keeps `regions` alive and unchanged. They are copied only if they are not sorted, which is
  /// rare.
  [[nodiscard]] static RegionMap over(const Regions& regions);
  RegionMap(RegionMap&&) noexcept = default;  // a moved vector keeps its memory
  RegionMap& operator=(RegionMap&&) noexcept = default;

  [[nodiscard]] std::span<const Region> all() const noexcept { return regions_; }
  /// Returns the smallest offset of a region above `offset`, or `otherwise`.
  [[nodiscard]] std::uint64_t next_start(std::uint64_t offset, std::uint64_t otherwise) const noexcept;
  /// Returns true if a region other than a Bloom filter of unknown length begins at `offset`.
  [[nodiscard]] bool starts_at(std::uint64_t offset) const noexcept;
  /// Returns the last region that begins before `offset` and has an unknown end; null if there is none.
  [[nodiscard]] const Region* open_before(std::uint64_t offset) const noexcept;

 private:
  Regions own_;                      // if the map owns the regions
  std::span<const Region> regions_;  // sorted
};

}  // namespace parqproof
