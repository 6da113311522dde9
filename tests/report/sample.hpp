#pragma once

#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/check/report.hpp"

namespace parqproof::test {

/// A finding with everything that one can have: at byte 1234 of the file.
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
  report.errors = 7;
  return report;
}

}  // namespace parqproof::test
