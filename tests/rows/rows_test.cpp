// Malformed files: reading ends with a reason, in bounded memory, and each printed row is complete.
#include <catch2/catch_test_macros.hpp>
#include <ctime>
#include <span>

#include "codec/rules/rule.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/rows/written.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sources.hpp"

namespace support {
namespace {

using namespace parqproof;

std::string rule_of(const Written& shown) {
  return shown.finding ? std::string(info(shown.finding->rule).id) : std::string();
}

Bytes int32s(std::initializer_list<std::uint8_t> values) {
  Bytes bytes;
  for (const std::uint8_t value : values) bytes.insert(bytes.end(), {value, 0, 0, 0});
  return bytes;
}

HostileColumn column(std::int64_t num_values, Bytes pages) {
  return {.num_values = num_values, .pages = std::move(pages)};
}

TEST_CASE("the rows before a damaged page are printed", "[page/within-chunk]") {
  Bytes pages = data_page(2, Encoding::PLAIN, int32s({1, 2}));
  const Bytes cut = data_page(2, Encoding::PLAIN, int32s({3, 4}));
  pages.insert(pages.end(), cut.begin(), cut.end() - 4);
  const Written shown = written(file_of({column(4, pages)}, 4));
  CHECK(shown.lines().size() == 2);
  CHECK(shown.end == RowsEnd::failed);
  CHECK(shown.broken);
  CHECK(rule_of(shown) == "page/within-chunk");
}

TEST_CASE("a list that may continue in a damaged page is not printed as if it were complete") {
  // o: one repeated INT32 in two v1 pages; the second would continue the list of row 1.
  HostileColumn numbers = column(3, {});
  numbers.repeated = true;
  const Bytes first_body = sized(run(2, 0)) + sized(run(2, 1)) + int32s({5, 6});
  const Bytes second_body = sized(run(1, 0)) + sized(run(1, 1)) + int32s({7});
  Bytes pages = data_page(2, Encoding::PLAIN, first_body);
  const Bytes cut = data_page(1, Encoding::PLAIN, second_body);
  pages.insert(pages.end(), cut.begin(), cut.end() - 4);
  numbers.pages = pages;
  const Written shown = written(file_of({numbers}, 3));
  CHECK(shown.lines().size() == 1);
  CHECK(rule_of(shown) == "page/within-chunk");
}

TEST_CASE("a malformed footer, not an unchecked VARIANT annotation, is why rows end", "[edition/undefined]") {
  // A list field in the last ColumnMetaData gets the Thrift type binary.
  const std::string file = source_file("corpus/writers/duckdb/variant.parquet");
  Bytes bytes(file.begin(), file.end());
  constexpr std::size_t kHeader = 1217;
  REQUIRE(bytes.at(kHeader) == 0x19);
  bytes[kHeader] = 0x18;
  const Written shown = written(bytes);
  CHECK(shown.broken);
  CHECK(rule_of(shown) == "thrift/field-type");
}

TEST_CASE("a page too short for its values ends the rows before it", "[plain/fixed-width-length]") {
  const Written shown = written(file_of({column(3, data_page(3, Encoding::PLAIN, int32s({1, 2})))}, 3));
  CHECK(shown.text.empty());
  CHECK(rule_of(shown) == "plain/fixed-width-length");
}

TEST_CASE("a row group whose columns disagree about its rows has no rows", "[column-chunk/rows]") {
  const Written shown = written(file_of({column(2, data_page(2, Encoding::PLAIN, int32s({1, 2}))),
                                         column(1, data_page(1, Encoding::PLAIN, int32s({3})))},
                                        2));
  CHECK(shown.lines().empty());
  CHECK(rule_of(shown) == "column-chunk/rows");
  CHECK(shown.finding->place.leaf == 1);
}

TEST_CASE("the pages determine the number of rows, not num_rows or num_values",
          "[row-group/num-rows][column-chunk/num-values]") {
  for (const std::int64_t rows : {0, 1, 5}) {
    const Written shown = written(file_of({column(2, data_page(2, Encoding::PLAIN, int32s({1, 2})))}, rows));
    CHECK(shown.end == RowsEnd::complete);
    CHECK(shown.lines().size() == 2);
  }
  for (const std::int64_t entries : {0, 1, 5}) {
    const Written shown =
        written(file_of({column(entries, data_page(2, Encoding::PLAIN, int32s({1, 2})))}, 2));
    CHECK(shown.end == RowsEnd::complete);
    CHECK(shown.lines().size() == 2);
  }
}

TEST_CASE("bytes after the values of every row group cause no second read of all row groups",
          "[page/trailing-bytes]") {
  constexpr std::int64_t kValues = 10'000;
  Bytes body(4 * kValues + 1);  // one surplus byte
  body.back() = 1;
  const auto bytes_read = [&](std::int64_t groups) {
    const Bytes file = file_of({column(kValues, data_page(kValues, Encoding::PLAIN, body))}, kValues, groups);
    const MemorySource memory(file);
    const CountingSource source(memory);
    std::string text;
    Out out(text);
    ReadingFailure failure;
    CHECK(write_rows(source, {}, out, failure).end == RowsEnd::failed);
    CHECK(text.empty());
    return source.bytes_read();
  };
  CHECK(bytes_read(40) < 3 * bytes_read(20));
}

TEST_CASE("rows without columns are limited in proportion to the file size", "[limit/work]") {
  const Written few = written(file_of(std::vector<HostileColumn>{}, 1000));
  CHECK(few.end == RowsEnd::complete);
  CHECK(few.lines().size() == 1000);
  const RowOptions options{.first = 2'000'000'000'000, .limit = 1};
  const Written many = written(file_of(std::vector<HostileColumn>{}, INT64_MAX), options);
  CHECK(many.end == RowsEnd::failed);
  CHECK(rule_of(many) == "limit/work");
  CHECK_FALSE(many.broken);
}

TEST_CASE("the first 3 of 2^31 - 1 nulls in one run are printed") {
  constexpr std::int64_t kMany = INT32_MAX;
  HostileColumn nulls = column(kMany, data_page(kMany, Encoding::PLAIN, sized(run(kMany, 0))));
  nulls.optional = true;
  const RowOptions options{.limit = 3};
  const Written shown = written(file_of({nulls}, kMany), options);
  CHECK(shown.end == RowsEnd::complete);
  CHECK(shown.lines().size() == 3);
}

TEST_CASE("a data page of dictionary indices needs a dictionary page before it",
          "[page/dictionary-missing]") {
  const Written shown =
      written(file_of({column(1, data_page(1, Encoding::RLE_DICTIONARY, Bytes{0} + run(1, 0)))}, 1));
  CHECK(rule_of(shown) == "page/dictionary-missing");
}

TEST_CASE("pages beyond the limits are not reported as faults of the file", "[limit/page-size]") {
  RowOptions options{.limits = {.page_bytes = 7}};
  const Bytes file = file_of({column(2, data_page(2, Encoding::PLAIN, int32s({1, 2})))}, 2);
  const Written page = written(file, options);
  CHECK(rule_of(page) == "limit/page-size");
  CHECK_FALSE(page.broken);
  options.limits = {};
  options.limits.memory_bytes = 100'000;  // enough for the footer, not for a cursor
  CHECK(rule_of(written(file, options)) == "limit/memory");
}

TEST_CASE("a requested column that does not exist is returned by name") {
  const RowOptions options{.columns = {"x.y"}};
  const Written shown = written(file_of({column(1, data_page(1, Encoding::PLAIN, int32s({1})))}, 1), options);
  CHECK(shown.end == RowsEnd::no_column);
  CHECK(shown.column == "x.y");
}

TEST_CASE("after rows that no column has, each column continues at its own row") {
  // Rows 2 to 5 are lost in both columns; the second one loses rows 8 and 9 too.
  const auto page = [](std::int64_t rows, std::initializer_list<std::uint8_t> values) {
    return data_page(rows, Encoding::PLAIN, int32s(values));
  };
  const Bytes lost = page(4, {});
  const HostileColumn first = column(14, page(2, {0, 1}) + lost + page(8, {6, 7, 8, 9, 10, 11, 12, 13}));
  const HostileColumn second = column(
      14, page(2, {100, 101}) + lost + page(2, {106, 107}) + page(2, {}) + page(4, {110, 111, 112, 113}));
  const RowOptions options{.damaged = DamagedRows::left_out};
  CHECK(written(file_of({first}, 14), options).lines() ==
        std::vector<std::string>{R"({"c0":0})", R"({"c0":1})", R"({"c0":6})", R"({"c0":7})", R"({"c0":8})",
                                 R"({"c0":9})", R"({"c0":10})", R"({"c0":11})", R"({"c0":12})",
                                 R"({"c0":13})"});
  CHECK(written(file_of({first, second}, 14), options).lines() ==
        std::vector<std::string>{R"({"c0":0,"c1":100})", R"({"c0":1,"c1":101})", R"({"c0":6,"c1":106})",
                                 R"({"c0":7,"c1":107})", R"({"c0":10,"c1":110})", R"({"c0":11,"c1":111})",
                                 R"({"c0":12,"c1":112})", R"({"c0":13,"c1":113})"});
}

TEST_CASE("all rows after a page with unreadable values are printed") {
  // The values of rows 0 to 3 and 8 to 11 of 16 are unreadable.
  const std::string file = source_file("corpus/witnesses/alp/bit-width/fail-d.parquet");
  const Written shown = written(std::span(reinterpret_cast<const std::uint8_t*>(file.data()), file.size()),
                                {.damaged = DamagedRows::left_out});
  CHECK(shown.left_out.rows == 8);
  CHECK(shown.lines().size() == 8);
}

TEST_CASE("after a column fails in the middle of the rows, the others continue at their own row") {
  // Rows 2 to 5 are lost in both columns. An entry of row 8 continues a list that is empty, so the levels of
  // its page are wrong.
  HostileColumn lists = column(11, {});
  lists.repeated = true;
  const auto page = [](std::int64_t entries, const Bytes& body) {
    return data_page(entries, Encoding::PLAIN, body);
  };
  lists.pages = page(2, sized(run(2, 0)) + sized(run(2, 1)) + int32s({0, 1})) +
                page(4, sized(run(4, 0)) + sized(run(4, 1))) +
                page(5, sized(run(3, 0) + run(1, 1) + run(1, 0)) + sized(run(2, 1) + run(1, 0) + run(2, 1)) +
                            int32s({6, 7, 8, 9}));
  const HostileColumn numbers =
      column(10, page(2, int32s({100, 101})) + page(4, {}) + page(4, int32s({106, 107, 108, 109})));
  const RowOptions options{.damaged = DamagedRows::with_null};
  const std::vector<std::string> rows = written(file_of({lists, numbers}, 10), options).lines();
  REQUIRE(rows.size() == 10);
  CHECK(rows[0] == R"({"c0":[0],"c1":100})");
  CHECK(rows[5] == R"({"c0":null,"c1":null})");
  CHECK(rows[6] == R"({"c0":null,"c1":106})");
  CHECK(rows[8] == R"({"c0":null,"c1":108})");
  CHECK(rows[9] == R"({"c0":null,"c1":109})");
}

TEST_CASE("the rows of a page with a list that is no row are left out", "[levels/repetition-needs-defined]") {
  // The second entry of row 1 has no element.
  HostileColumn lists = column(8, {});
  lists.repeated = true;
  lists.pages = data_page(6, Encoding::PLAIN,
                          sized(run(2, 0) + run(1, 1) + run(3, 0)) +
                              sized(run(2, 1) + run(1, 0) + run(3, 1)) + int32s({0, 1, 2, 3, 4})) +
                data_page(2, Encoding::PLAIN, sized(run(2, 0)) + sized(run(2, 1)) + int32s({5, 6}));
  const HostileColumn numbers = column(7, data_page(7, Encoding::PLAIN, int32s({0, 1, 2, 3, 4, 5, 6})));
  RowOptions options;
  options.damaged = DamagedRows::left_out;
  const Written shown = written(file_of({lists, numbers}, 7, 3), options);
  CHECK(shown.lines().size() == 6);
  REQUIRE(shown.left_out.parts.size() == 3);
  for (std::size_t group = 0; group < 3; ++group) {
    const LeftOutPart& part = shown.left_out.parts[group];
    CHECK(part.place == Place{static_cast<std::int32_t>(group), 0, 0});
    REQUIRE(part.rows);
    CHECK(part.rows->first == static_cast<std::int64_t>(7 * group));
    CHECK(part.rows->last == static_cast<std::int64_t>(7 * group + 4));
  }
}

TEST_CASE("only a finding of several pages may be first reported at an earlier page than the lost one") {
  Finding finding;
  finding.rule = Rule::alp_bit_width;
  finding.place = {0, 0, 0};
  finding.offset = 44;
  LeftOutPart part{{0, 0, 2}, 2, "d", RowRange{8, 11}, {finding, {}, {}}};
  CHECK(left_out_text(part).ends_with(", page 2, rows 8 to 11: alp/bit-width at byte 44 (0x2c)"));
  part.cause.finding->times = 2;
  CHECK(left_out_text(part).ends_with(", page 2, rows 8 to 11: alp/bit-width, first at byte 44 (0x2c)"));
}

TEST_CASE("rows that no column has are skipped at once, however many a row group claims") {
  // Row group 2 claims 5,194,440,672 rows; row group 3 after it is unreadable too.
  const std::string file = source_file("corpus/regressions/billions-of-rows-that-no-column-has.parquet");
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  const std::clock_t start = std::clock();
  const Written shown = written(bytes, {.damaged = DamagedRows::left_out});
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 20);
  CHECK(shown.end == RowsEnd::complete);
  CHECK(shown.lines().empty());
  CHECK(shown.left_out.rows == 5'194'440'736);
}

}  // namespace
}  // namespace support
