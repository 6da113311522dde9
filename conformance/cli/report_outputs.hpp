#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/report/check_report.hpp"

namespace parqproof::cli {

/// The forms in which `check` reports.
enum class ReportForm : std::uint8_t { text, json, ndjson, lines, sarif, junit, github, markdown, html };

/// Whether the form can hold the summary alone.
[[nodiscard]] bool has_summary(ReportForm form) noexcept;

/// The form of this name; refuse() where there is none, with `option` before the complaint.
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
  /// Files with one of the `tolerated` verdicts are fine where a form says which are.
  ReportOutputs(ReportExtent extent, std::vector<Verdict> tolerated);
  ~ReportOutputs();
  ReportOutputs(const ReportOutputs&) = delete;
  ReportOutputs& operator=(const ReportOutputs&) = delete;

  void to_standard_output(ReportForm form);
  /// Makes the file anew. False if that cannot be done, or if it is one of `inputs`; `why` says so in words.
  [[nodiscard]] bool to_file(const FileOutput& output, const std::vector<std::string>& inputs,
                             std::string& why);

  /// One of them at least shows bytes of the files.
  [[nodiscard]] bool shows_bytes() const noexcept;
  /// `source`: the bytes of the file, if shows_bytes() and they can be had.
  void add(const FileReport& file, const Source* source);
  /// A file is done: what there is to say of it can be read.
  void flush();
  /// Ends the reports: `code`, or 2 with a complaint where one could not be written.
  [[nodiscard]] int end(const RunSummary& summary, int code);

 private:
  struct Output;

  void add(ReportForm form, int descriptor, bool fancy, std::string path);

  ReportExtent extent_;
  std::vector<Verdict> tolerated_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace parqproof::cli
