#include "conformance/result/file_report.hpp"

#include <algorithm>

namespace parqproof {

const char* to_string(Verdict verdict) noexcept {
  constexpr const char* kNames[] = {"conforming",    "unsupported", "limit",
                                    "nonconforming", "malformed",   "unreadable"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Verdict::unreadable) + 1);
  return kNames[static_cast<std::size_t>(verdict)];
}

const char* to_string(LostPart part) noexcept {
  constexpr const char* kNames[] = {"page", "pages",        "rest of chunk", "column chunk",
                                    "file", "column index", "offset index",  "bloom filter"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(LostPart::bloom_filter) + 1);
  return kNames[static_cast<std::size_t>(part)];
}

int exit_code(const FileReport& report, std::span<const Verdict> tolerated) noexcept {
  const bool passes = std::ranges::find(tolerated, report.verdict) != tolerated.end();
  const Verdict verdict = passes ? Verdict::conforming : report.verdict;
  switch (verdict) {
    case Verdict::conforming:
    case Verdict::nonconforming:
    case Verdict::malformed:
      if (report.compared) {
        const SeverityCounts& fresh = report.compared->fresh;
        return fresh.error != 0 || (report.failed_on_warning && fresh.warning != 0) ? 1 : 0;
      }
      return verdict != Verdict::conforming || report.failed_on_warning ? 1 : 0;
    case Verdict::unsupported:
    case Verdict::limit:
    case Verdict::unreadable:
      return 2;
  }
  return 2;
}

}  // namespace parqproof
