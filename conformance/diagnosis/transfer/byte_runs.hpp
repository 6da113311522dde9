#pragma once

#include <cstdint>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// The smallest block, in bytes, that disks and file systems lose or repeat.
inline constexpr std::uint64_t kSector = 512;
/// The largest of them.
inline constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 16;

/// Bytes that may have taken the place of others.
struct ByteRun {
  ByteRange bytes;
  bool zeros = true;  ///< else they repeat the bytes in front of them

  [[nodiscard]] bool at_sector() const noexcept {
    return bytes.begin % kSector == 0 || bytes.end % kSector == 0;
  }
  /// Whole sectors, which zeros among values hardly ever are.
  [[nodiscard]] bool is_sectors() const noexcept {
    return bytes.begin % kSector == 0 && bytes.end % kSector == 0;
  }
};

/// The runs of at least kSector zeros, and the sectors that repeat the block of kSector, 4,096 or
/// kLargestBlock bytes in front of them for a whole block, in these parts of a file. A part begins with a
/// sector. The runs come in the order of their first bytes; they may overlap; there are some 10,000 of them
/// at most.
[[nodiscard]] std::vector<ByteRun> find_byte_runs(const Source& source, const std::vector<ByteRange>& parts);

}  // namespace parqproof
