#include "conformance/cli/input/reading_failure.hpp"

#include <unistd.h>

#include "codec/rules/rule.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"

namespace parqproof::cli {

void explain_failure(const std::string& path, const ReadingFailure& failure, const std::string& column,
                     std::string_view what) {
  const Finding* const finding = failure.finding();
  if (finding == nullptr) return complain(path + ": " + failure.why());
  complain(path + ": " + std::string(what) + ':');
  Out err(STDERR_FILENO);
  write_finding(err, {*finding, info(finding->rule).severity, column, {}, {}, {}, {}}, false);
}

}  // namespace parqproof::cli
