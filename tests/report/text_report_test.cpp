#include <catch2/catch_test_macros.hpp>

#include "conformance/report/check_report.hpp"
#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/wording.hpp"
#include "tests/report/sample.hpp"

namespace parqproof {
namespace {

std::string text_of(const std::vector<FileReport>& files, bool fancy = false,
                    ReportExtent extent = ReportExtent::files, const std::vector<Change>& changes = {}) {
  return test::report_text<TextReport>(files, changes, fancy, extent);
}

TEST_CASE("a text report states the fault, its place and its consequences") {
  FileReport report = test::sample_report();
  report.lost.push_back({LostPart::page, {0, 1, 2}, "a"});
  report.not_run.push_back({"values", "the codec LZO is not read", {0, 1, -1}, "a", false});
  const std::string what = labelled("what", message(report.findings[0].finding));
  const std::string fix = labelled("fix", info(Rule::column_chunk_encodings).fix);
  const std::string harm = labelled("harm", info(Rule::column_chunk_encodings).harm);
  CHECK(text_of({report}, false, ReportExtent::files,
                {{.by = "--ignore", .rule = "rle/*", .severity = "off"}}) == R"(dir/a.parquet

error       column-chunk/encodings
)" + what + R"(  in        row group 1, column a.b (leaf 3), page 2
  field     meta_data.encodings
  at        byte 1234 (0x4d2), 4 bytes
  found     ALP
  expected  PLAIN, RLE
  times     7 in this column chunk; the first is shown
  clause    parquet.thrift#ColumnMetaData.encodings
)" + harm + fix + R"(
lost        row group 0, column a (leaf 1), page 2: this page; the other pages of its column chunk
            are intact

not run     row group 0, column a (leaf 1): values: the codec LZO is not read

dir/a.parquet: nonconforming
  findings  7 errors, 0 warnings
  checked   2 row groups, 4 columns, 8 pages without checksum, 80 values, 4990 of 5000 bytes; tier
            values, profile strict
  writer    writer version 1.0

changed     rle/* = off (--ignore)

`parqproof explain RULE` gives details of a rule.
)");
}

TEST_CASE("a file without findings is printed as a summary only") {
  FileReport report;
  report.path = "a";
  report.size = 100;
  report.bytes = 100;
  report.pages = 1;
  CHECK(text_of({report}) == R"(a: conforming
  findings  0 errors, 0 warnings
  checked   0 row groups, 0 columns, 1 page without checksum, 0 values, 100 of 100 bytes; tier
            values, profile strict
)");
}

TEST_CASE("unlisted causes are counted") {
  FileReport report = test::sample_report();
  report.counts.warning = 2;
  report.counts.info = 1;
  Cause cause = test::sample_cause();
  cause.listed = false;
  cause.times = 2;
  cause.first.front().severity = Severity::warning;
  report.causes.push_back(cause);
  cause.first.front().severity = Severity::info;
  cause.times = 1;
  report.causes.push_back(cause);
  CHECK(
      text_of({report}).contains("  findings  7 errors, 2 warnings, 1 info; 2 causes not shown: 0 errors, 2 "
                                 "warnings, 1 info (--limit\n            0 shows all)\n"));
}

TEST_CASE("findings of one cause are one block with their places") {
  FileReport report = test::sample_report();
  Cause& cause = report.causes.front();
  cause.field = "columns[*].meta_data.encodings";
  cause.findings = 1002;
  cause.times = 1005;
  cause.differs = true;
  ReportedFinding next = cause.first.front();
  next.finding.place.row_group = 2;
  next.finding.offset = 2000;
  cause.first.push_back(next);
  cause.row_groups.clear();
  for (std::int32_t i = 0; i < 1001; ++i) cause.row_groups.push_back(i);
  cause.row_groups.push_back(2000);
  for (const char* name : {"b", "c", "d", "e", "f", "g", "h", "i", "j"})
    cause.columns.push_back({4, name, 1, {}});
  const std::string what = labelled("what", message_of(cause));
  CHECK(what.ends_with(" (at the first place)\n"));
  const std::string text = text_of({report});
  CAPTURE(text);
  CHECK(text.contains(
      what +
      R"(  in        1002 row groups: 0 to 1000, 2000; 10 columns: a.b (leaf 3), b (leaf 4), c (leaf 4), d
            (leaf 4), e (leaf 4), f (leaf 4), g (leaf 4), h (leaf 4) and 2 more
  field     columns[*].meta_data.encodings
  at        1002 places, 1005 findings in all; the first are
            row group 1, column a.b (leaf 3), page 2: byte 1234 (0x4d2), 4 bytes
            row group 2, column a.b (leaf 3), page 2: byte 2000 (0x7d0), 4 bytes
  found     ALP (at the first place)
  expected  PLAIN, RLE (at the first place)
)"));
}

TEST_CASE("a byte inside a decompressed page names the page's header") {
  FileReport report = test::sample_report();
  report.causes[0].first[0].finding.space = Space::page;
  report.causes[0].first[0].finding.page_offset = 99;
  CHECK(text_of({report}).contains(
      "  at        page 99 + 1234, 4 bytes: in the uncompressed page whose header is at byte "
      "99 (0x63)\n"));
}

TEST_CASE("long numbers have digit groups in text, and none in JSON") {
  CHECK(grouped(std::uint64_t{9999}) == "9999");
  CHECK(grouped(std::uint64_t{10000}) == "10,000");
  CHECK(grouped(std::uint64_t{1234567}) == "1,234,567");
  CHECK(grouped(UINT64_MAX) == "18,446,744,073,709,551,615");
  CHECK(grouped(FindingValue(-123456)) == "-123,456");
  CHECK(grouped(FindingValue(-1234)) == "-1234");
  CHECK(grouped(FindingValue(at_most(65536))) == "at most 65,536");
  CHECK(grouped(FindingValue(between(4, 100000))) == "4 to 100,000");
  for (const std::string text : {"20240131", "at most 20240131", "build 20240131", "", "  ", "RLE"})
    CHECK(grouped(FindingValue(text)) == text);
  CHECK(offset_text(123456) == "123,456 (0x1e240)");
  CHECK(counted(1234567, "row") == "1,234,567 rows");
  FileReport report = test::sample_report();
  report.findings[0].finding.found = 1234567;
  report.causes[0].first[0].finding.found = 1234567;
  CHECK(text_of({report}).contains("found     1,234,567\n"));
  CHECK(message(report.findings[0].finding).contains("1234567"));
}

TEST_CASE("numbers in sentences about a mangled file have digit groups") {
  Finding finding;
  finding.rule = Rule::file_bytes_missing;
  finding.found = count_of_bytes(12345);
  finding.detail = " between byte 123456 and byte 234567: 45678 structures, 1000000; ISO-88591 and c12345";
  CHECK(text_message(finding) ==
        "the file lacks 12,345 bytes between byte 123,456 and byte 234,567: 45,678 structures, 1,000,000; "
        "ISO-88591 and c12345");
  CHECK(message(finding) == "the file lacks 12345 bytes" + finding.detail);
  finding.rule = Rule::statistics_max;
  finding.detail = "; the first above it is 12345";
  CHECK(text_message(finding).ends_with(finding.detail));
}

TEST_CASE("several files end with the summary over all of them, rule by rule") {
  FileReport good;
  good.path = "b";
  good.counts.warning = 1;
  good.counts.info = 2;
  const std::string summary = R"(3 files: 2 conforming, 1 nonconforming; 7 errors, 2 warnings, 4 infos
nonconforming  dir/a.parquet: column-chunk/encodings

error       column-chunk/encodings: 7 findings in 1 file
  writers   writer 1.0
  first     dir/a.parquet: row group 1, column a.b (leaf 3), page 2, byte 1234 (0x4d2), 4 bytes

`parqproof explain RULE` gives details of a rule.
)";
  const std::string text = text_of({test::sample_report(), good, good});
  CHECK(text.ends_with("\n" + summary));
  CHECK(text_of({test::sample_report(), good, good}, false, ReportExtent::summary) == summary);
}

TEST_CASE("each of the format's promises about damage has a sentence") {
  for (const auto& [what, words] :
       {std::pair(LostPart::file, "the entire file"), std::pair(LostPart::column_chunk, "this row group"),
        std::pair(LostPart::rest_of_chunk, "the rest of this column chunk"),
        std::pair(LostPart::page, "this page; the other pages"),
        std::pair(LostPart::column_index, "the column index"),
        std::pair(LostPart::offset_index, "the offset index"),
        std::pair(LostPart::bloom_filter, "the bloom filter")}) {
    FileReport report = test::sample_report();
    report.lost.push_back({what, {}});
    CHECK(text_of({report}).contains(std::string("lost        ") + words));
  }
}

TEST_CASE("the only escape sequences in a text are colours") {
  FileReport report = test::sample_report();
  report.path = "a\x1b[2J";
  report.created_by = "w\x1b";
  report.causes[0].first[0].column = "c\x1b";
  report.causes[0].first[0].finding.found = "f\x1b";
  report.causes[0].first[0].finding.field = "g\x1b";
  report.not_run.push_back({"w\x1b", "y\x1b", {}, {}, false});
  CHECK_FALSE(text_of({report}).contains('\x1b'));
  const std::string coloured = text_of({report}, true);
  CHECK(coloured.contains("\x1b[1;31mnonconforming\x1b[0m"));
  CHECK_FALSE(coloured.contains("\x1b[2J"));
}

}  // namespace
}  // namespace parqproof
