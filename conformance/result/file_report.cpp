#include "conformance/result/file_report.hpp"

#include <algorithm>

namespace parqproof {

const char* to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::conforming:
      return "conforming";
    case Verdict::unsupported:
      return "unsupported";
    case Verdict::limit:
      return "limit";
    case Verdict::nonconforming:
      return "nonconforming";
    case Verdict::malformed:
      return "malformed";
    case Verdict::unreadable:
      return "unreadable";
  }
  return "";
}

const char* to_string(LostPart part) noexcept {
  switch (part) {
    case LostPart::page:
      return "page";
    case LostPart::pages:
      return "pages";
    case LostPart::rest_of_chunk:
      return "rest of chunk";
    case LostPart::column_chunk:
      return "column chunk";
    case LostPart::file:
      return "file";
    case LostPart::column_index:
      return "column index";
    case LostPart::offset_index:
      return "offset index";
    case LostPart::bloom_filter:
      return "bloom filter";
  }
  return "";
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
