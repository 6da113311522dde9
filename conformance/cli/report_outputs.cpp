#include "conformance/cli/report_outputs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "conformance/cli/terminal.hpp"
#include "conformance/options/refuse.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof::cli {
ReportForm report_form(const std::string& option, const std::string& name) {
  const std::optional<ReportForm> form = find_form(name);
  if (!form) refuse(option + ": '" + name + "' is not one of " + joined(form_names()));
  return *form;
}

FileOutput file_output(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals + 1 == text.size()) refuse("--output: '" + text + "' is not FORMAT=FILE");
  return {report_form("--output", text.substr(0, equals)), text.substr(equals + 1)};
}

struct ReportOutputs::Output {
  Output(int to, std::string name) : descriptor(to), path(std::move(name)), out(to) {}

  int descriptor;
  std::string path;  ///< empty: standard output
  Out out;
  std::unique_ptr<Report> report;
};

ReportOutputs::ReportOutputs(ReportExtent extent, std::vector<Verdict> tolerated)
    : extent_(extent), tolerated_(std::move(tolerated)) {}

ReportOutputs::~ReportOutputs() {
  for (const std::unique_ptr<Output>& output : outputs_) {
    output->out.flush();
    if (!output->path.empty()) ::close(output->descriptor);
  }
}

void ReportOutputs::add(ReportForm form, int descriptor, bool fancy, std::string path) {
  const auto& output = outputs_.emplace_back(std::make_unique<Output>(descriptor, std::move(path)));
  output->report = make_report(form, output->out, {fancy, extent_, tolerated_});
}

void ReportOutputs::to_standard_output(ReportForm form) {
  add(form, STDOUT_FILENO, fancy(STDOUT_FILENO), {});
}

bool ReportOutputs::to_file(const FileOutput& output, const std::vector<FoundFile>& inputs,
                            std::string& why) {
  for (const FoundFile& input : inputs) {
    std::error_code unknown;
    if (std::filesystem::equivalent(input.path, output.path, unknown)) {
      why = "it is one of the files to check";
      return false;
    }
  }
  const int descriptor = ::open(output.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    why = std::strerror(errno);
    return false;
  }
  add(output.form, descriptor, false, output.path);
  return true;
}

bool ReportOutputs::shows_bytes() const noexcept {
  return std::ranges::any_of(outputs_, [](const auto& output) { return output->report->shows_bytes(); });
}

void ReportOutputs::add(const FileReport& file, const Source* source) {
  for (const std::unique_ptr<Output>& output : outputs_) output->report->add(file, source);
}

void ReportOutputs::flush() {
  for (const std::unique_ptr<Output>& output : outputs_) output->out.flush();
}

int ReportOutputs::end(const RunSummary& summary, int code) {
  for (const std::unique_ptr<Output>& output : outputs_) {
    output->report->end(summary);
    output->out.flush();
    if (output->out.error() == 0) continue;
    complain((output->path.empty() ? "" : output->path + ": ") +
             "cannot write: " + std::strerror(output->out.error()));
    code = kCouldNotRun;
  }
  return code;
}

}  // namespace parqproof::cli
