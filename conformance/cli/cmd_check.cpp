#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/progress.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"

namespace parqproof::cli {
namespace {

/// The report of a file that Ctrl-C kept from being read.
FileReport not_reached(const std::string& path, const CheckOptions& options) {
  FileReport report = unreadable(path, "the check was stopped", options);
  report.verdict = Verdict::unsupported;
  return report;
}

/// The report of the file, and those of the files beside it that its column chunks name.
std::vector<FileReport> check_path(const std::string& path, CheckOptions options, ProgressLine& line) {
  if (cancelled()) return {not_reached(path, options)};
  std::string why;
  const std::unique_ptr<Source> source = open_input(path, why);
  if (cancelled()) return {not_reached(path, options)};
  if (source != nullptr) {
    options.progress = line.opened(source->size());
    const std::unique_ptr<Folder> folder = path == kStandardInput ? nullptr : Folder::of(path, why);
    return check(*source, path, options, folder.get());
  }
  line.end();
  complain(path + ": " + why);
  return {unreadable(path, why, options)};
}

}  // namespace

int check_command(const CheckCommand& command) {
  if (std::ranges::count(command.paths, kStandardInput) > 1) {
    complain("standard input can be read only once");
    return kCouldNotRun;
  }
  std::vector<std::string> complaints;
  const std::vector<std::string> paths = expand(command.paths, complaints);
  for (const std::string& complaint : complaints) complain(complaint);
  int code = complaints.empty() ? kFine : kCouldNotRun;

  Out out(STDOUT_FILENO);
  std::optional<JsonReport> json;
  std::optional<TextReport> text;
  if (!command.quiet && command.format == Format::json) json.emplace(out);
  if (!command.quiet && command.format == Format::text) text.emplace(out, fancy(STDOUT_FILENO));
  ProgressLine line(paths, !command.quiet);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    line.begin(i);
    const std::vector<FileReport> reports = check_path(paths[i], command.options, line);
    line.end();
    for (const FileReport& report : reports) {
      code = std::max(code, exit_code(report));
      if (json) json->add(report);
      if (text) text->add(report);
    }
    out.flush();
  }
  if (json) json->end();
  if (text) text->end();
  if (cancelled()) code = kCouldNotRun;
  return finish(out, code);
}

}  // namespace parqproof::cli
