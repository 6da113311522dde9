#pragma once

#include <cstdint>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/layout.hpp"

/// The bytes at fault with those around them, and what each of them is.
namespace parqproof {

/// A run, and some of its bytes.
struct ShownRun {
  Run run;
  std::uint64_t from = 0;  ///< the first byte that is shown; counts as the offset of the run does
  std::vector<std::uint8_t> bytes;
};

/// How much is shown of the bytes of a finding.
struct ShownExtent {
  std::size_t around = 3;    ///< runs before the bytes at fault, and behind them
  std::size_t at_fault = 6;  ///< runs at fault at most
  std::uint64_t bytes = 24;  ///< of one run at most
};

/// The bytes of one finding.
struct FindingBytes {
  Segment segment;             ///< in which they begin; of a page, its body
  std::uint64_t image = 0;     ///< bytes of the page's image, if they stand in that
  std::vector<ShownRun> runs;  ///< in order; none where the bytes cannot be had
};

/// The bytes of findings of one file, in their order. Each segment is taken apart once, however many findings
/// stand in it.
[[nodiscard]] std::vector<FindingBytes> read_finding_bytes(const Source& source, const Layout& layout,
                                                           const std::vector<const Finding*>& findings,
                                                           const ShownExtent& extent = {});

}  // namespace parqproof
