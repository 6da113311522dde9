#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/cli/input/file_search.hpp"
#include "conformance/report/forms.hpp"

namespace parqproof::cli {

/// The form with this name; if there is none, calls refuse() with `option` in the complaint.
[[nodiscard]] ReportForm report_form(const std::string& option, const std::string& name);

/// A report that goes to a file.
struct FileOutput {
  ReportForm form = ReportForm::text;
  std::string path;
};

/// FORMAT=FILE, or refuse().
[[nodiscard]] FileOutput file_output(const std::string& text);

/// The reports of one run: that on standard output, and those that go to files.
class ReportOutputs {
 public:
  /// Some forms show files with one of the `tolerated` verdicts as passed.
  ReportOutputs(ReportExtent extent, std::vector<Verdict> tolerated);
  ~ReportOutputs();
  ReportOutputs(const ReportOutputs&) = delete;
  ReportOutputs& operator=(const ReportOutputs&) = delete;

  void to_standard_output(ReportForm form);
  /// Creates or overwrites the file. False if that fails, or if it is one of `inputs`; `why` is the message.
  [[nodiscard]] bool to_file(const FileOutput& output, const std::vector<FoundFile>& inputs,
                             std::string& why);

  /// Returns true if at least one of the reports shows bytes of the files.
  [[nodiscard]] bool shows_bytes() const noexcept;
  /// `source` has the bytes of the file, if shows_bytes() and they can be read.
  void add(const FileReport& file, const Source* source);
  /// Writes everything out after a file.
  void flush();
  /// Ends the reports; returns `code`, or 2 after a complaint if one could not be written.
  [[nodiscard]] int end(const RunSummary& summary, int code);

 private:
  struct Output;

  void add(ReportForm form, int descriptor, bool fancy, std::string path);

  ReportExtent extent_;
  std::vector<Verdict> tolerated_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace parqproof::cli
