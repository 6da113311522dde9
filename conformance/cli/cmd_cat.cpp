#include <unistd.h>

#include <memory>
#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"

namespace parqproof::cli {
namespace {

/// Says on stderr why the rows end.
void explain_failure(const std::string& path, const ReadingFailure& failure, const std::string& column) {
  const Finding* const finding = failure.finding();
  if (finding == nullptr) {
    complain(path + ": " + failure.why());
    return;
  }
  complain(path + ": the rows end here:");
  Out err(STDERR_FILENO);
  write_finding(err, {*finding, info(finding->rule).severity, column}, false);
}

}  // namespace

int cat_command(const CatCommand& command) {
  std::string why;
  const std::unique_ptr<Source> source = open_input(command.path, why);
  if (source == nullptr) {
    complain(command.path + ": " + why);
    return kCouldNotRun;
  }
  Out out(STDOUT_FILENO);
  ReadingFailure failure;
  RowOptions options = command.options;
  const std::unique_ptr<Folder> folder =
      command.path == kStandardInput ? nullptr : Folder::of(command.path, why);
  options.folder = folder.get();
  const RowsOutcome outcome = write_rows(*source, options, out, failure);
  out.flush();
  switch (outcome.end) {
    case RowsEnd::whole:
      break;
    case RowsEnd::cancelled:
      return finish(out, kCouldNotRun);
    case RowsEnd::no_column:
      complain(command.path + ": no column or group is called '" + outcome.column + "'");
      return finish(out, kCouldNotRun);
    case RowsEnd::failed:
      explain_failure(outcome.file.empty() ? command.path : outcome.file, failure, outcome.column);
      return finish(out, failure.broken() ? kBroken : kCouldNotRun);
  }
  return finish(out, kFine);
}

}  // namespace parqproof::cli
