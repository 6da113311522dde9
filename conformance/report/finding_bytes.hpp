#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/report/annotate.hpp"
#include "conformance/report/layout.hpp"

/// The bytes at fault with those around them, and what each of them is.
namespace parqproof {

/// A run, and some of its bytes.
struct ShownRun {
  Run run;
  std::uint64_t from = 0;  ///< the first byte that is shown; counts as the offset of the run does
  std::string bytes;       ///< as hex
};

/// The bytes of one finding.
struct FindingBytes {
  static constexpr std::size_t kAround = 3;    ///< runs before the bytes at fault, and behind them
  static constexpr std::size_t kAtFault = 6;   ///< runs at fault that are shown at most
  static constexpr std::uint64_t kShown = 24;  ///< bytes of one run that are shown at most

  Segment segment;             ///< in which they begin; of a page, its body
  std::vector<ShownRun> runs;  ///< in order; none where the bytes cannot be had
};

/// The bytes of findings of one file, in their order. Each segment is taken apart once, however many findings
/// stand in it.
[[nodiscard]] std::vector<FindingBytes> read_finding_bytes(const Source& source, const Layout& layout,
                                                           const std::vector<const Finding*>& findings);

}  // namespace parqproof
