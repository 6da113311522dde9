#include <fmt/format.h>

#include "codec/rules/rule.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {

void LinesReport::add(const FileReport& file, const Source* /*source*/) {
  const std::string path = printable(file.path);
  for (const ReportedFinding& reported : file.findings) {
    const Finding& finding = reported.finding;
    std::string place = place_text(finding.place, reported.column);
    const auto add = [&place](const std::string& part) { place += (place.empty() ? "" : ", ") + part; };
    if (finding.space == Space::page)
      add(fmt::format("at page {} + {}", finding.page_offset, finding.offset));
    if (finding.times > 1) add(fmt::format("{} times", finding.times));
    for (const KnownBug* bug : reported.bugs)
      add(fmt::format("known bug of {}: {}", bug->versions(), bug->issues().front()));
    if (reported.known) add(*reported.known ? "known" : "new");
    *out_ << fmt::format("{}:{}: {} {}: {}{}\n", path, finding.file_position(), to_string(reported.severity),
                         info(finding.rule).id, printable(message(finding)),
                         place.empty() ? "" : " [" + place + "]");
  }
}

}  // namespace parqproof
