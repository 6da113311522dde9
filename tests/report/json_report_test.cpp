#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "conformance/check/check.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "tests/report/sample.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/judged.hpp"

namespace parqproof {
namespace {

using nlohmann::json;

std::string text_of_run(const std::vector<FileReport>& files) {
  return test::report_text<JsonReport>(files, {});
}

json run(const std::vector<FileReport>& files) {
  const std::string text = text_of_run(files);
  CHECK(support::validate_report(text) == "");
  return json::parse(text);
}

TEST_CASE("a JSON report names tool, specification and files") {
  const json report = run({test::sample_report(), test::sample_report()});
  CHECK(report["report_version"] == 1);
  CHECK(report["tool"]["name"] == "parqproof");
  CHECK(report["spec"]["commit"] == kSpecCommit);
  REQUIRE(report["files"].size() == 2);
  const json& file = report["files"][0];
  CHECK(file["path"] == "dir/a.parquet");
  CHECK(file["verdict"] == "nonconforming");
  CHECK(file["tier"] == "values");
  CHECK(file["profile"] == "strict");
  CHECK(file["size"] == 5000);
  CHECK(file["created_by"] == "writer version 1.0");
  CHECK(file["rows"] == 10);
  CHECK(file["row_groups"] == 2);
  CHECK(file["columns"] == 4);
  CHECK(file["pages"] == 8);
  CHECK(file["values"] == 80);
  CHECK(file["errors"] == 7);
  CHECK(file["truncated"] == false);
  CHECK(file["not_run"].empty());
  CHECK(file["lost"].empty());
}

TEST_CASE("a run without files is a report too") { CHECK(run({})["files"].empty()); }

TEST_CASE("a finding has all its parts") {
  json finding = run({test::sample_report()})["files"][0]["findings"][0];
  CHECK(finding["message"] == message(test::sample_finding().finding));
  CHECK(finding["fix"] == info(Rule::column_chunk_encodings).fix);
  finding.erase("message");
  finding.erase("fix");
  CHECK(finding == json::parse(R"({
    "rule": "column-chunk/encodings", "severity": "error", "class": "invalid",
    "clause": "parquet.thrift#ColumnMetaData.encodings",
    "clause_url": "https://github.com/apache/parquet-format/blob/24102ed5c56e51b610a4897e5f79e76e43732d1d/src/main/thrift/parquet.thrift",
    "offset": 1234, "length": 4, "space": "file",
    "row_group": 1, "column": "a.b", "leaf": 3, "page": 2, "times": 7, "field": "meta_data.encodings",
    "expected": "PLAIN, RLE", "found": "ALP"})"));
}

TEST_CASE("the address of a clause is that of its document at the pinned commit") {
  CHECK(clause_url(info(Rule::footer_exact_length))
            .starts_with("https://github.com/apache/parquet-format/blob/24102ed"));
  for (const RuleInfo& rule : all_rules()) {
    const std::string url = clause_url(rule);
    const std::size_t mark = rule.clause.find('#');
    const bool thrift = rule.clause.starts_with("thrift-") || rule.clause.starts_with("idl.md");
    if (rule.clause.starts_with("2013/Encodings.md")) {
      CHECK(url.starts_with("https://github.com/apache/parquet-format/blob/871c006"));
    } else if (rule.clause.starts_with("2013/README.md")) {
      CHECK(url.starts_with("https://github.com/apache/parquet-format/blob/cca062f"));
    } else if (rule.clause.starts_with("geoparquet.md")) {
      CHECK(url.starts_with("https://github.com/opengeospatial/geoparquet/blob/v1.1.0"));
    } else {
      CHECK(url.contains(rule.clause.substr(0, mark)));
      CHECK(url.starts_with(thrift ? "https://github.com/apache/thrift/blob/v"
                                   : "https://github.com/apache/parquet-format/blob/24102ed"));
    }
    if (mark != rule.clause.npos && !rule.clause.starts_with("parquet.thrift"))
      CHECK(url.ends_with(rule.clause.substr(mark)));
  }
}

TEST_CASE("a finding omits the keys that do not apply") {
  FileReport report = test::sample_report();
  ReportedFinding& finding = report.findings[0];
  finding.finding = Finding{};
  finding.finding.rule = Rule::file_head_magic;
  finding.column.clear();
  const json found = run({report})["files"][0]["findings"][0];
  for (const char* key :
       {"row_group", "column", "leaf", "page", "field", "expected", "found", "page_offset"}) {
    CHECK_FALSE(found.contains(key));
  }
}

TEST_CASE("a place inside a decompressed page names the page") {
  FileReport report = test::sample_report();
  report.findings[0].finding.space = Space::page;
  report.findings[0].finding.page_offset = 99;
  const json found = run({report})["files"][0]["findings"][0];
  CHECK(found["space"] == "page");
  CHECK(found["offset"] == 1234);
  CHECK(found["page_offset"] == 99);
}

TEST_CASE("the severity of a finding is the one that the policy sets") {
  FileReport report = test::sample_report();
  report.findings[0].severity = Severity::info;
  CHECK(run({report})["files"][0]["findings"][0]["severity"] == "info");
}

TEST_CASE("a file that could not be opened has no counts") {
  FileReport report;
  report.path = "gone.parquet";
  report.verdict = Verdict::unreadable;
  report.not_run.push_back({"file", "No such file", {}, {}, false});
  const json file = run({report})["files"][0];
  for (const char* key :
       {"size", "created_by", "rows", "row_groups", "columns", "pages", "values", "bytes"}) {
    CHECK_FALSE(file.contains(key));
  }
  CHECK(file["not_run"] == json::parse(R"([{"what":"file","why":"No such file"}])"));
}

TEST_CASE("skipped checks and losses have their places") {
  FileReport report = test::sample_report();
  report.not_run.push_back({"values", "codec LZO", {0, 1, -1}, "a", false});
  report.lost.push_back({LostPart::page, {0, 1, 2}, "a"});
  report.omitted.warning = 3;
  const json file = run({report})["files"][0];
  CHECK(file["not_run"] ==
        json::parse(R"([{"what":"values","why":"codec LZO","row_group":0,"column":"a"}])"));
  CHECK(file["lost"] == json::parse(R"([{"what":"page","row_group":0,"column":"a","page":2}])"));
  CHECK(file["truncated"] == true);
  CHECK(file["omitted"] == json::parse(R"({"error":0,"warning":3,"info":0})"));
  CHECK(file["keys"] ==
        json::parse(R"([{"rule":"column-chunk/encodings","column":"a.b","field":"meta_data.encodings"}])"));
}

TEST_CASE("names that are not UTF-8, or control a terminal, are escaped") {
  FileReport report = test::sample_report();
  report.path = "a\xff\x1b[2J.parquet";
  report.created_by = "w\xC3";
  report.findings[0].column = "c\n\x80";
  report.findings[0].finding.found = "\x9b";
  const std::string text = text_of_run({report});
  CHECK(support::validate_report(text) == "");
  CHECK_FALSE(text.contains('\x1b'));
  CHECK(json::parse(text)["files"][0]["path"] == "a\xEF\xBF\xBD\x1b[2J.parquet");
}

TEST_CASE("a report of ten thousand findings is written completely") {
  FileReport report = test::sample_report();
  report.findings.assign(10'000, test::sample_finding());
  CHECK(run({report})["files"][0]["findings"].size() == 10'000);
}

TEST_CASE("a message is filled in from found, expected and the detail") {
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    std::string expected = message_form(all_rules()[i]);
    for (const auto& [mark, text] :
         {std::pair("{0}", "FOUND{1}"), std::pair("{1}", "EXPECTED"), std::pair("{2}", "DETAIL")}) {
      // A placeholder inside the found value is not replaced.
      for (std::size_t at = 0; (at = expected.find(mark, at)) != expected.npos;) {
        const bool inside = at >= 5 && expected.compare(at - 5, 8, "FOUND{1}") == 0;
        if (!inside) expected.replace(at, 3, text);
        at += inside ? 3 : std::string_view(text).size();
      }
    }
    Finding finding;
    finding.rule = static_cast<Rule>(i);
    finding.found = "FOUND{1}";
    finding.expected = "EXPECTED";
    finding.detail = "DETAIL";
    CHECK(message(finding) == expected);
  }
}

TEST_CASE("the report of every witness fits the schema, with all options") {
  std::size_t files = 0;
  for (const std::string& path : support::files_below("corpus/witnesses", ".parquet")) {
    CAPTURE(path);
    const std::vector<std::uint8_t> bytes = support::read_bytes(path);
    if (bytes.size() > 1 << 16) continue;
    const MemorySource source(bytes);
    for (const Tier tier : {Tier::footer, Tier::values}) {
      const CheckOptions options{.tier = tier, .advice = true, .listed = 0, .limits = {.page_bytes = 4096}};
      CHECK(support::validate_report(text_of_run({check(source, path, options)})) == "");
    }
    ++files;
  }
  CHECK(files != 0);
}

}  // namespace
}  // namespace parqproof
