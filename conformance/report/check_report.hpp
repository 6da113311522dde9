#pragma once

#include <cstdint>
#include <string>

#include "codec/base/source.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/out.hpp"
#include "conformance/report/run_summary.hpp"
#include "conformance/result/file_report.hpp"

/// The forms in which a run of `check` is told. Each is written file by file, so that neither the number of
/// files nor that of findings needs memory.
namespace parqproof {

/// What is wrong, in words: the message of the finding's rule with what was found, what was expected and the
/// detail filled in.
[[nodiscard]] std::string message(const Finding& finding);

/// The same for a text: long numbers are grouped.
[[nodiscard]] std::string text_message(const Finding& finding);

/// A finding in words: rule, place, bytes, what is wrong, and what goes wrong for a reader. `fancy`: with
/// colours and links.
void write_finding(Out& out, const ReportedFinding& reported, bool fancy);

/// What of a run is told.
enum class ReportExtent : std::uint8_t {
  files,    ///< each file, then the summary
  summary,  ///< the summary alone
};

/// A report of a run, in one of its forms.
class Report {
 public:
  virtual ~Report() = default;
  /// The next file, as it was judged. `source`: its bytes, if the form shows_bytes(); null where there are
  /// none to be had.
  virtual void add(const FileReport& file, const Source* source) = 0;
  /// Whether add() is to get the bytes of the files too.
  [[nodiscard]] virtual bool shows_bytes() const noexcept { return false; }
  /// What there is to say at the end of the run.
  virtual void end(const RunSummary& summary) = 0;
};

/// JSON, as conformance/json-schema/report.schema.json describes it.
class JsonReport final : public Report {
 public:
  explicit JsonReport(Out& out, ReportExtent extent = ReportExtent::files);
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  JsonWriter json_;
  ReportExtent extent_;
};

/// JSON objects, one a line: what is judging (`report_version`, `tool`, `spec`); each file (`path`, ...);
/// what was switched, and the summary (`changes`, `summary`).
class NdjsonReport final : public Report {
 public:
  explicit NdjsonReport(Out& out, ReportExtent extent = ReportExtent::files);
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  Out* out_;
  ReportExtent extent_;
};

/// For a person: the causes in each file with their places and their consequences, then what was not looked
/// at, what is lost, and the verdict; at the end what was switched, and after several files the summary.
class TextReport final : public Report {
 public:
  TextReport(Out& out, bool fancy, ReportExtent extent = ReportExtent::files) noexcept
      : out_(&out), extent_(extent), fancy_(fancy) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  Out* out_;
  ReportExtent extent_;
  bool fancy_;
  bool first_ = true;
  bool findings_ = false;  ///< some were told
};

/// A line for each finding: `path:offset: severity rule: message [place]`. The offset is one in the file: of
/// what stands in an uncompressed page, it is that of the page header, and the place says the rest: `at page
/// HEADER + OFFSET`.
class LinesReport final : public Report {
 public:
  explicit LinesReport(Out& out) noexcept : out_(&out) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& /*summary*/) override {}

 private:
  Out* out_;
};

}  // namespace parqproof
