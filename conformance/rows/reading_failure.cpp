#include "conformance/rows/reading_failure.hpp"

#include <fmt/format.h>

#include <utility>

#include "codec/rules/rule.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

std::string number(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

std::string cause_text(const LeftOutPart& part) {
  const DamageCause& cause = part.cause;
  if (!cause.finding) return printable(cause.words.empty() ? "it cannot be read" : cause.words);
  const Finding& finding = *cause.finding;
  const std::string file = cause.file.empty() ? "" : " of " + printable(cause.file);
  // Within a page, the reported offset is that of the page.
  const std::uint64_t offset = finding.space == Space::page ? finding.page_offset : finding.offset;
  // Only the first finding of a rule in a chunk is listed.
  const bool is_earlier = finding.times > 1 && finding.place.page < part.place.page;
  return fmt::format("{}{} at {} {}{}", info(finding.rule).id, is_earlier ? ", first" : "",
                     finding.space == Space::page ? "the page of byte" : "byte", offset_text(offset), file);
}

}  // namespace

bool DamageCause::is_broken() const noexcept { return finding && is_judgement(info(finding->rule).klass); }

void ReadingFailure::take(const ColumnCursor& cursor, View chunk, const PageFault& fault) {
  if (fault.at == PageFault::At::unreadable) return set_message("the file could not be read");
  take(cursor.place(), chunk, fault, cursor.page());
}

void ReadingFailure::take(const Place& place, View chunk, const PageFault& fault, const Page& page) {
  const FindingSite site{findings_, {place.row_group, place.leaf, -1}, chunk, ColumnChunk::kType};
  report_page_fault(site, place, page, fault);
}

void ReadingFailure::replace(Finding cause) {
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

std::string left_out_text(const LeftOut& left_out) {
  std::string text;
  const std::string of = " of " + counted(left_out.requested, "row");
  if (left_out.rows != 0) text = "left out " + grouped(left_out.rows) + of;
  if (left_out.with_null != 0) {
    text += text.empty() ? "" : ", and ";
    text += "wrote null for lost values in " + grouped(left_out.with_null) + of;
  }
  return text.empty() ? "left out an unknown number of rows" : text;
}

std::string contradicted_text(const LeftOut& left_out) {
  return grouped(left_out.contradicted_rows) + " of " + counted(left_out.requested, "row") +
         " may be wrong: their values contradict the statistics, and no checksum covers them";
}

std::string left_out_text(const LeftOutPart& part) {
  Place place = part.place;
  const bool has_pages = place.page >= 0 && part.last_page > place.page;
  if (has_pages) place.page = -1;
  std::string text = place_text(place, part.column);
  if (has_pages) text += fmt::format(", pages {} to {}", part.place.page, part.last_page);
  if (!part.rows) {
    text += ", all rows from there on";
  } else if (part.rows->first == part.rows->last) {
    text += ", row " + number(part.rows->first);
  } else {
    text += ", rows " + number(part.rows->first) + " to " + number(part.rows->last);
  }
  return text + ": " + cause_text(part);
}

void describe(const LeftOut& left_out,
              const std::function<void(const std::string& line, bool is_part)>& line) {
  const auto list = [&line](const std::vector<LeftOutPart>& parts, std::uint64_t more) {
    for (const LeftOutPart& part : parts) line(left_out_text(part), true);
    if (more != 0) line("and " + grouped(more) + " more; `parqproof check` lists all of them", true);
  };
  if (left_out.any()) line(left_out_text(left_out), false);
  list(left_out.parts, left_out.more);
  if (!left_out.contradicted.empty()) line(contradicted_text(left_out), false);
  list(left_out.contradicted, left_out.more_contradicted);
}

}  // namespace parqproof
