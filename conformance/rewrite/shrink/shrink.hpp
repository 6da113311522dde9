#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

struct ShrinkOptions {
  Rule rule{};
  CheckOptions check;                ///< judges each candidate
  std::uint32_t max_checks = 1'000;  ///< candidates that are checked
};

/// A file from which everything was removed that its finding does not need.
struct Shrunk {
  std::vector<std::uint8_t> bytes;
  std::uint32_t checks = 0;
  bool is_exhausted = false;               ///< max_checks was reached, so less may be possible
  std::optional<ReportedFinding> finding;  ///< of the rule, in `bytes`
};

/// Removes row groups, columns, pages, indexes and optional fields as long as a check reports the rule and no
/// rule that it does not report of the source. What is left keeps its bytes, but offsets, lengths and counts
/// follow. The error is the reason why there is no such file: the source does not break the rule, or cannot
/// be read.
[[nodiscard]] std::expected<Shrunk, std::string> shrink(const Source& source, const ShrinkOptions& options);

}  // namespace parqproof
