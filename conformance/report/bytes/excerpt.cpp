#include "conformance/report/bytes/excerpt.hpp"

#include <algorithm>

#include "conformance/report/bytes/finding_bytes.hpp"
#include "conformance/report/bytes/layout_report.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kMarked = 64;  ///< max marked bytes of a finding
constexpr ShownExtent kExtent = {.around = 1, .at_fault = kMarked, .bytes = kMarked};

std::string text_of(const Layout& layout, const Finding& finding, const FindingBytes& bytes) {
  if (bytes.runs.empty()) return {};
  std::string text;
  Out out(text);
  out << segment_title(layout, bytes.segment, bytes.image) << "\n";
  std::uint64_t at = bytes.image != 0 ? 0 : bytes.segment.offset;  // end of what is written
  for (const ShownRun& shown : bytes.runs) {
    if (at < shown.from) write_gap(out);
    write_shown_run(shown, finding, out);
    at = shown.from + shown.bytes.size();
  }
  if (at < (bytes.image != 0 ? bytes.image : bytes.segment.end())) write_gap(out);
  out.flush();
  return text;
}

}  // namespace

std::vector<std::string> excerpts(const Source& source, const Layout& layout,
                                  const std::vector<const Finding*>& findings) {
  std::vector<Finding> marked;
  std::vector<const Finding*> pointers;
  marked.reserve(findings.size());
  pointers.reserve(findings.size());
  for (const Finding* finding : findings) {
    marked.push_back(*finding);
    marked.back().length = std::min(finding->length, kMarked);
    pointers.push_back(&marked.back());
  }
  const std::vector<FindingBytes> bytes = read_finding_bytes(source, layout, pointers, kExtent);
  std::vector<std::string> texts;
  texts.reserve(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) texts.push_back(text_of(layout, marked[i], bytes[i]));
  return texts;
}

}  // namespace parqproof
