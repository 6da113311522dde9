#include "conformance/rows/reading_failure.hpp"

#include <utility>

#include "codec/rules/rule.hpp"

namespace parqproof {

void ReadingFailure::take(const ColumnCursor& cursor, View chunk, const PageFault& fault) {
  if (fault.at == PageFault::At::unreadable) return words("the file could not be read");
  take(cursor.place(), chunk, fault, cursor.page());
}

void ReadingFailure::take(const Place& place, View chunk, const PageFault& fault, const Page& page) {
  const FindingSite site{findings_, {place.row_group, place.leaf, -1}, chunk, ColumnChunk::kType};
  report_page_fault(site, place, page, fault);
}

void ReadingFailure::blame(Finding cause) {
  findings_ = Findings(RuleSet{}.set());
  findings_.add(std::move(cause));
}

DamageCause ReadingFailure::release() {
  DamageCause cause;
  if (finding() != nullptr) cause.finding = *finding();
  cause.words = std::exchange(why_, {});
  findings_ = Findings(RuleSet{}.set());
  return cause;
}

bool ReadingFailure::broken() const noexcept {
  return finding() != nullptr && is_judgement(info(finding()->rule).klass);
}

}  // namespace parqproof
