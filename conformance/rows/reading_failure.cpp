#include "conformance/rows/reading_failure.hpp"

#include <ranges>

#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Whether the strict reader of the page header can say more of the fault: a field is missing, or the header
/// does not come to an end.
bool lies_in_thrift(const PageFault& fault) {
  return fault.rule() == Rule::thrift_required_field ||
         (fault.rule() == Rule::page_within_chunk && fault.at == PageFault::At::bytes);
}

}  // namespace

bool ReadingFailure::adopt(const Findings& found, std::uint64_t from, std::uint64_t to) {
  for (const Finding& finding : std::views::reverse(found.all())) {
    const Class klass = info(finding.rule).klass;
    if (finding.offset < from || finding.offset >= to || klass == Class::invalid) continue;
    findings_.add(finding);
    return true;
  }
  return false;
}

void ReadingFailure::take(const ColumnCursor& cursor, View chunk, const PageFault& fault) {
  if (fault.at == PageFault::At::unreadable) return words("the file could not be read");
  if (lies_in_thrift(fault)) {
    Findings found(RuleSet{}.set());
    cursor.read_header_findings(found);
    if (adopt(found, 0, UINT64_MAX)) return;
  }
  judge_.fault(cursor.place(), cursor.page(), chunk, fault);
}

bool ReadingFailure::broken() const noexcept {
  if (finding() == nullptr) return false;
  const Class klass = info(finding()->rule).klass;
  return klass == Class::malformed || klass == Class::invalid;
}

}  // namespace parqproof
