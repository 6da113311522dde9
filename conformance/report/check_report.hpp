#pragma once

#include <cstdint>
#include <string>

#include "codec/base/source.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/out.hpp"
#include "conformance/report/run_summary.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/result/file_report.hpp"

/// The forms of a report of `check`. Each is written file by file, so that memory does not grow with the
/// number of files or findings.
namespace parqproof {

/// Writes a finding as text: rule, place, bytes, message, and harm. `fancy` adds colours and links.
void write_finding(Out& out, const ReportedFinding& reported, bool fancy);

/// Extent of a report.
enum class ReportExtent : std::uint8_t {
  files,    ///< each file, then the summary
  summary,  ///< only the summary
};

/// A report of a run, in one of its forms.
class Report {
 public:
  explicit Report(Out& out, ReportExtent extent = ReportExtent::files) noexcept
      : out_(out), extent_(extent) {}
  virtual ~Report() = default;
  /// Adds a checked file. `source` has its bytes if the form shows_bytes(), or is null if they cannot be
  /// read.
  virtual void add(const FileReport& file, const Source* source) = 0;
  /// Returns true if add() needs the bytes of the files.
  [[nodiscard]] virtual bool shows_bytes() const noexcept { return false; }
  /// Writes the end of the report.
  virtual void end(const RunSummary& summary) = 0;

 protected:
  Out& out_;
  ReportExtent extent_;
};

/// JSON, as conformance/json-schema/report.schema.json describes it.
class JsonReport final : public Report {
 public:
  explicit JsonReport(Out& out, ReportExtent extent = ReportExtent::files);
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  JsonWriter json_;
};

/// JSON objects, one a line: the checker (`report_version`, `tool`, `spec`); each file (`path`, ...); changed
/// rules, and the summary (`changes`, `summary`).
class NdjsonReport final : public Report {
 public:
  explicit NdjsonReport(Out& out, ReportExtent extent = ReportExtent::files);
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;
};

/// For people: the causes in each file with their places and consequences, then parts that were not checked,
/// losses, and the verdict; at the end the changed rules, and after several files the summary.
class TextReport final : public Report {
 public:
  TextReport(Out& out, bool fancy, ReportExtent extent = ReportExtent::files) noexcept
      : Report(out, extent), fancy_(fancy) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  bool fancy_;
  bool first_ = true;
  bool findings_ = false;  ///< some findings were written
};

/// A line for each finding: `path:offset: severity rule: message [place]`. The offset is always one in the
/// file: for a finding in an uncompressed page it is that of the page header, and the place has the rest: `at
/// page HEADER + OFFSET`.
class LinesReport final : public Report {
 public:
  explicit LinesReport(Out& out) noexcept : Report(out) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& /*summary*/) override {}
};

}  // namespace parqproof
