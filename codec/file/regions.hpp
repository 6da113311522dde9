#pragma once

#include <cstdint>
#include <vector>

#include "codec/base/large_pages.hpp"

namespace parqproof {

/// A structure that the footer points at, with the bytes that it takes.
struct Region {
  enum class Kind : std::uint8_t { column_chunk, column_index, offset_index, bloom_filter };

  std::uint64_t offset = 0;
  std::uint64_t length = 0;   ///< of the structure itself, once it was read
  std::uint64_t surplus = 0;  ///< bytes behind it that its stated length takes in
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

  [[nodiscard]] const Regions& all() const noexcept { return regions_; }
  /// The smallest region offset above `offset`, or `otherwise`.
  [[nodiscard]] std::uint64_t next_start(std::uint64_t offset, std::uint64_t otherwise) const noexcept;
  /// Whether a region other than a bloom filter of unknown length begins at `offset`.
  [[nodiscard]] bool starts_at(std::uint64_t offset) const noexcept;
  /// The last end of a region that lies wholly at or before `offset`, or `otherwise`.
  [[nodiscard]] std::uint64_t previous_end(std::uint64_t offset, std::uint64_t otherwise) const noexcept;
  /// The last region that begins before `offset` and whose end is not known, if there is one.
  [[nodiscard]] const Region* open_before(std::uint64_t offset) const noexcept;

 private:
  Regions regions_;
  std::vector<std::uint64_t> ends_;  // sorted
};

}  // namespace parqproof
