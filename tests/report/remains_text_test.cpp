// The text about losses and remaining structures.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "conformance/report/check_report.hpp"
#include "conformance/report/words/damage_text.hpp"

namespace support {
namespace {

using namespace parqproof;

std::string text_of(const FileReport& report) {
  std::string text;
  Out out(text);
  TextReport words(out, false);
  words.add(report, nullptr);
  words.end({});
  out.flush();
  return text;
}

bool contains(const std::vector<std::string>& sentences, const std::string& words) {
  return std::ranges::any_of(sentences, [&](const std::string& one) { return one.contains(words); });
}

TEST_CASE("consecutive lost pages are in one line, others in separate lines") {
  FileReport report;
  for (const std::int32_t page : {1, 2, 3, 5}) report.lost.push_back({LostPart::page, {0, 1, page}, "a"});
  report.lost.push_back({LostPart::page, {0, 2, 6}, "b"});
  for (const std::int32_t page : {7, 8}) report.lost.push_back({LostPart::page, {1, 2, page}, "b"});
  const std::string text = text_of(report);
  CHECK(text.contains("row group 0, column a (leaf 1), pages 1 to 3: these pages"));
  CHECK(text.contains("row group 0, column a (leaf 1), page 5: this page\n"));
  CHECK(text.contains("row group 0, column b (leaf 2), page 6: this page; the other pages"));
  CHECK(text.contains("row group 1, column b (leaf 2), pages 7 to 8: these pages"));
}

TEST_CASE("parts next to a loss are called intact if they have no loss and no error") {
  FileReport report;
  report.row_groups = 2;
  report.lost.push_back({LostPart::column_chunk, {0, 1, -1}, "a"});
  report.lost.push_back({LostPart::page, {1, 0, 3}, "b"});
  std::string text = text_of(report);
  CHECK(text.contains("column a (leaf 1): this column chunk; those of the same column"));
  CHECK(text.contains("page 3: this page; the other pages"));

  ReportedFinding error;
  error.finding.place = {1, 0, 2};
  report.findings.push_back(error);
  error.finding.place = {1, 1, -1};
  report.findings.push_back(error);
  text = text_of(report);
  CHECK(text.contains("column a (leaf 1): this column chunk\n"));
  CHECK(text.contains("page 3: this page\n"));

  report.findings.clear();
  report.omitted.error = 1;
  CHECK(text_of(report).contains("page 3: this page\n"));

  report.lost = {{LostPart::column_chunk, {0, -1, -1}}};
  report.omitted.error = 0;
  CHECK(text_of(report).contains("row group 0: this row group; the other row groups are intact"));
  report.lost.push_back({LostPart::column_chunk, {1, -1, -1}});
  CHECK(text_of(report).contains("row group 0: this row group\n"));
}

TEST_CASE("remaining structures are reported by pages, values, runs and bytes") {
  Remains remains;
  remains.pages = {4, 96, 3, 1, 0, 30};
  remains.runs_found = 1;
  remains.runs = {remains.pages};
  const std::vector<std::string> one = remains_text(remains);
  CHECK(contains(
      one, "3 data pages with 30 values, 1 dictionary page, in 1 run from byte 4 (0x4) to byte 100 (0x64)"));
  CHECK(contains(one, "no other footer"));
  CHECK(!contains(one, "run 1"));

  remains.runs_found = 30;
  remains.runs.assign(30, {4, 6, 1, 0, 0, 1});
  const std::vector<std::string> many = remains_text(remains);
  CHECK(contains(many, "run 1 from byte 4 (0x4) to byte 10 (0xa): 1 data page with 1 value"));
  CHECK(contains(many, "and 20 runs more"));
}

TEST_CASE("the absence of remaining structures is reported too") {
  const std::vector<std::string> text = remains_text({});
  CHECK(contains(text, "no readable page header"));
  CHECK(contains(text, "no other footer"));
}

TEST_CASE("of several footers the last intact one is named, with the bytes that its end lacks") {
  Remains remains;
  remains.footers_found = 3;
  remains.footers = {{100, 42, 150, 5, 1}, {300, 42, 350, 10, 2}, {500, 258, {}, 15, 3}};
  const std::vector<std::string> text = remains_text(remains);
  CHECK(contains(text, "`check --footer-at 350`"));
  CHECK(contains(text, "10 rows in 2 row groups"));
  CHECK(contains(text, "which are the bytes 02 01 00 00 50 41 52 31: the bytes up to it were not checked"));
  CHECK(contains(text, "3 footers in all"));
  CHECK(!contains(text, "--footer-at 150"));
}

TEST_CASE("a file up to a footer is called complete only if a trial found no error in it") {
  Remains remains;
  remains.footers_found = 2;
  remains.footers = {{300, 42, 350, 10, 2, FooterTrial{false, 2, true}},
                     {500, 258, {}, 15, 3, FooterTrial{false, 3, true}}};
  std::vector<std::string> text = remains_text(remains);
  CHECK(contains(text, "the first 350 bytes are a complete file, which `check --footer-at 350` checks"));
  CHECK(contains(text,
                 "the first 758 bytes, followed by the bytes 02 01 00 00 50 41 52 31, are a complete file"));

  for (CompleteFooter& footer : remains.footers) footer.trial = FooterTrial{true, 1, true};
  text = remains_text(remains);
  CHECK(!contains(text, "complete file"));
  CHECK(contains(text, "1 of its 2 row groups can be read; `check --footer-at 350` has the errors"));
  CHECK(contains(text, "1 of its 3 row groups can be read"));

  remains.footers.front().trial->intact_row_groups = 2;
  CHECK(contains(remains_text(remains),
                 "its 2 row groups can be read; `check --footer-at 350` has the errors"));
}

}  // namespace
}  // namespace support
