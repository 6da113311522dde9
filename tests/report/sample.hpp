#pragma once

#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/report/check_report.hpp"

namespace parqproof::test {

/// The output of `Report` for these files.
template <typename Report>
[[nodiscard]] std::string report_text(const std::vector<FileReport>& files,
                                      const std::vector<Change>& changes, auto... options) {
  std::string text;
  Out out(text);
  Report report(out, options...);
  RunSummary summary(changes);
  for (const FileReport& file : files) {
    summary.add(file);
    report.add(file, nullptr);
  }
  report.end(summary);
  return text;
}

/// A finding with every optional part, at byte 1234 of the file.
inline ReportedFinding sample_finding() {
  ReportedFinding reported;
  Finding& finding = reported.finding;
  finding.rule = Rule::column_chunk_encodings;
  finding.place = {1, 3, 2};
  finding.offset = 1234;
  finding.length = 4;
  finding.times = 7;
  finding.field = "meta_data.encodings";
  finding.found = "ALP";
  finding.expected = "PLAIN, RLE";
  reported.column = "a.b";
  return reported;
}

/// The cause of that finding alone.
inline Cause sample_cause() {
  Cause cause;
  cause.first.push_back(sample_finding());
  cause.field = "meta_data.encodings";
  cause.findings = 1;
  cause.times = 7;
  cause.row_groups = {1};
  cause.columns = {{3, "a.b", 7, {}}};
  cause.listed = true;
  return cause;
}

/// A report of a file of 5000 bytes, with that finding.
inline FileReport sample_report() {
  FileReport report;
  report.path = "dir/a.parquet";
  report.verdict = Verdict::nonconforming;
  report.size = 5000;
  report.created_by = "writer version 1.0";
  report.rows = 10;
  report.row_groups = 2;
  report.columns = 4;
  report.pages = 8;
  report.values = 80;
  report.bytes = 4990;
  report.findings.push_back(sample_finding());
  report.counts.error = 7;
  report.causes.push_back(sample_cause());
  return report;
}

}  // namespace parqproof::test
