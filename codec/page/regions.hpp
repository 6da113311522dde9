#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/large_pages.hpp"

namespace parqproof {

/// A structure that the footer points at, with the bytes that it takes.
struct Region {
  enum class Kind : std::uint8_t { column_chunk, column_index, offset_index, bloom_filter };

  std::uint64_t offset = 0;
  std::uint64_t length = 0;   ///< of the structure itself, once it was read
  std::uint32_t surplus = 0;  ///< bytes behind it that its stated length takes in; of pages none
  std::uint32_t row_group = 0;
  std::uint32_t leaf = 0;
  Kind kind = Kind::column_chunk;
  bool encrypted = false;  ///< its bytes mean nothing without a key
  bool damaged = false;    ///< it could not be read, so its extent is no evidence against others
  bool length_known =
      true;  ///< false: only the offset is stated (a bloom filter without bloom_filter_length)

  [[nodiscard]] std::uint64_t end() const noexcept { return offset + length; }
};

using Regions = std::vector<Region, LargeAllocator<Region>>;

/// The regions of a file in order of their offsets.
class RegionMap {
 public:
  RegionMap() = default;
  explicit RegionMap(Regions regions);
  /// Of regions that outlive the map, and stay as they are as long: they are copied only where they are out
  /// of order, which they rarely are.
  [[nodiscard]] static RegionMap over(const Regions& regions);
  RegionMap(RegionMap&&) noexcept = default;  // memory of a vector that moves stays where it is
  RegionMap& operator=(RegionMap&&) noexcept = default;

  [[nodiscard]] std::span<const Region> all() const noexcept { return regions_; }
  /// The smallest region offset above `offset`, or `otherwise`.
  [[nodiscard]] std::uint64_t next_start(std::uint64_t offset, std::uint64_t otherwise) const noexcept;
  /// Whether a region other than a bloom filter of unknown length begins at `offset`.
  [[nodiscard]] bool starts_at(std::uint64_t offset) const noexcept;
  /// The last region that begins before `offset` and whose end is not known, if there is one.
  [[nodiscard]] const Region* open_before(std::uint64_t offset) const noexcept;

 private:
  Regions own_;                      // where they are not somebody else's
  std::span<const Region> regions_;  // sorted
};

}  // namespace parqproof
