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
  CHECK(text.contains("row group 0, column a (leaf 1), page 5: this page; the other pages"));
  CHECK(text.contains("row group 0, column b (leaf 2), page 6: this page; the other pages"));
  CHECK(text.contains("row group 1, column b (leaf 2), pages 7 to 8: these pages"));
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
  CHECK(contains(text, "the first 758 bytes, followed by the bytes 02 01 00 00 50 41 52 31"));
  CHECK(contains(text, "3 footers in all"));
  CHECK(!contains(text, "--footer-at 150"));
}

}  // namespace
}  // namespace support
