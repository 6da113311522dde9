#pragma once

#include <cstdint>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/layout.hpp"

/// Reads the bytes at fault with those around them, and their meaning.
namespace parqproof {

/// A run, and some of its bytes.
struct ShownRun {
  Run run;
  std::uint64_t from = 0;  ///< offset of the first shown byte, in the same space as that of the run
  std::vector<std::uint8_t> bytes;
};

/// Limits for the bytes shown of a finding.
struct ShownExtent {
  std::size_t around = 3;    ///< number of runs before and after those at fault
  std::size_t at_fault = 6;  ///< max number of runs at fault
  std::uint64_t bytes = 24;  ///< max bytes of one run
};

/// The bytes of one finding.
struct FindingBytes {
  Segment segment;             ///< segment in which they begin; of a page, its body
  std::uint64_t image = 0;     ///< size of the page image, if they are in that
  std::vector<ShownRun> runs;  ///< in order; empty if the bytes cannot be read
};

/// The bytes of the findings of one file, in their order. Each segment is parsed once, for all of its
/// findings.
[[nodiscard]] std::vector<FindingBytes> read_finding_bytes(const Source& source, const Layout& layout,
                                                           const std::vector<const Finding*>& findings,
                                                           const ShownExtent& extent = {});

}  // namespace parqproof
