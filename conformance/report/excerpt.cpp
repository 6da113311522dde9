#include "conformance/report/excerpt.hpp"

#include <algorithm>

#include "conformance/report/layout_report.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kRunsAround = 1;
constexpr std::uint64_t kMostMarked = 64;  ///< bytes

}  // namespace

std::string excerpt(const Source& source, const Layout& layout, const Finding& finding) {
  const bool in_page = finding.space == Space::page;
  const auto segment = std::ranges::find_if(layout.segments, [&](const Segment& one) {
    if (in_page) return one.kind == SegmentKind::page_body && one.page_header == finding.page_offset;
    return one.offset <= finding.offset && finding.offset < one.end();
  });
  if (segment == layout.segments.end()) return {};
  ByteListing listing{.around = kRunsAround, .images = in_page};
  Mark& mark = listing.marks.emplace_back(finding.offset, std::min(finding.length, kMostMarked));
  if (in_page) mark.page = finding.page_offset;
  std::string text;
  {
    Out out(text);
    write_segment_bytes(source, layout, *segment, listing, out);
  }
  return text;
}

}  // namespace parqproof
