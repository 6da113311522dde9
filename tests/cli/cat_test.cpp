#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace support {
namespace {

using nlohmann::json;

const std::string kCorpus = PARQPROOF_SOURCE_DIR "/corpus/";
const std::string kNested = kCorpus + "writers/pyarrow/default-nested.parquet";
const std::string kThree = kCorpus + "witnesses/page/within-chunk/pass-a.parquet";
const std::string kTwoLevels = kCorpus + "witnesses/legal/index-pages/pass-a.parquet";

std::string cat(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "cat");
  const Outcome outcome = parqproof(arguments);
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_CASE("cat prints one object a row, keys in the order of the schema") {
  CHECK(cat({kThree}) == "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
  const std::string text = cat({"--limit", "1", kNested});
  CHECK(text.starts_with("{\"id\":0,\"point\":{\"x\":null,"));
  CHECK(text.contains("\"matrix\":[null],"));
  CHECK(text.contains("\"pairs\":[{\"key\":\"k0\",\"value\":947},"));
  CHECK(text.contains("\"numbers\":null,"));
}

TEST_CASE("cat --physical prints every group and repeated field under its own name") {
  const std::string text = cat({"--physical", "--limit", "1", kNested});
  CHECK(text.contains("\"matrix\":{\"list\":[{\"element\":null}]}"));
  CHECK(text.contains("\"pairs\":{\"key_value\":[{\"key\":\"6b30\",\"value\":947},"));
}

TEST_CASE("cat --columns prints the named columns and groups, in the order of the schema") {
  CHECK(cat({"--columns", "point.y,id", "--limit", "1", kNested}) == "{\"id\":0,\"point\":{\"y\":542.06}}\n");
  CHECK(cat({"--columns", "pairs.key_value.key", "--rows", "1:2", kNested}) ==
        "{\"pairs\":[{\"key\":\"k0\"}]}\n");
  CHECK(cat({"--columns", "id", "--columns", "matrix", "--limit", "1", kNested}) ==
        "{\"id\":0,\"matrix\":[null]}\n");
  check_rejected(parqproof({"cat", "--columns", "id,nothing", kNested}), "'nothing'");
  CHECK(parqproof({"cat", "--columns", "id,", kNested}).code == 2);
}

TEST_CASE("cat --rows A:B prints rows A to B - 1; --limit counts printed rows") {
  CHECK(cat({"--rows", "1:2", kThree}) == "{\"a\":2}\n");
  CHECK(cat({"--rows", "1:", kThree}) == "{\"a\":2}\n{\"a\":3}\n");
  CHECK(cat({"--rows", ":1", kThree}) == "{\"a\":1}\n");
  CHECK(cat({"--rows", ":", kThree}) == cat({kThree}));
  CHECK(cat({"--rows", "2:1", kThree}).empty());
  CHECK(cat({"--rows", "3:9", kThree}).empty());
  CHECK(cat({"--rows", "1:", "--limit", "1", kThree}) == "{\"a\":2}\n");
  CHECK(cat({"--limit", "0", kThree}).empty());
  for (const char* wrong : {"1", "a:b", "-1:2", "1:2:3", "1 :2"})
    CHECK(parqproof({"cat", "--rows", wrong, kThree}).code == 2);
}

TEST_CASE("cat --rows counts over row groups of any size") {
  const std::string file = kCorpus + "witnesses/legal/zero-rows/pass-a.parquet";  // 1, 0 and 1 rows
  CHECK(cat({file}) == "{\"a\":1}\n{\"a\":2}\n");
  CHECK(cat({"--rows", "1:", file}) == "{\"a\":2}\n");
  CHECK(cat({"--rows", "2:", file}).empty());
}

TEST_CASE("cat --rows prints the same rows as the complete output has") {
  const std::vector<std::string> lines = lines_of(cat({kNested}));
  REQUIRE(lines.size() > 10);
  for (std::size_t first = 0; first < lines.size(); first += 7) {
    const std::string range = std::to_string(first) + ":" + std::to_string(first + 1);
    CHECK(cat({"--rows", range, kNested}) == lines[first] + "\n");
  }
}

TEST_CASE("cat prints both of two fields of one name, and empty rows of a file without columns") {
  CHECK(cat({kCorpus + "witnesses/legal/zero-columns/pass-a.parquet"}) == "{}\n{}\n");
  const Outcome twice =
      parqproof({"cat", "--limit", "1", kCorpus + "witnesses/schema/sibling-names/fail-a.parquet"});
  const std::size_t first = twice.out.find("\"a\":");
  REQUIRE(first != std::string::npos);
  CHECK(twice.out.find("\"a\":", first + 1) != std::string::npos);
}

TEST_CASE("cat stops at an unreadable page, with the finding on stderr") {
  const Outcome outcome = parqproof({"cat", kCorpus + "witnesses/crc/match/fail-a.parquet"});
  CHECK(outcome.code == 1);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.contains("crc/match"));
  CHECK(outcome.err.contains("row group 0, column "));
}

TEST_CASE("cat distinguishes unsupported files from malformed ones") {
  const std::string witnesses = kCorpus + "witnesses/";
  CHECK(parqproof({"cat", witnesses + "file/encrypted-footer/fail-a.parquet"}).code == 2);
  CHECK(parqproof({"cat", witnesses + "page/unknown-encoding/fail-a.parquet"}).code == 2);
  CHECK(parqproof({"cat", witnesses + "thrift/list-size/fail-a.parquet"}).code == 1);
  CHECK(parqproof({"cat", kCorpus + "no-such-file.parquet"}).code == 2);
  CHECK(parqproof({"cat", kCorpus}).code == 2);
  CHECK(parqproof({"cat"}).code == 2);
  const Outcome limit = parqproof({"cat", "--max-page", "1", kThree});
  CHECK(limit.code == 2);
  CHECK(limit.err.contains("limit/page-size"));
  const std::string deep = witnesses + "limit/schema-depth/fail-a.parquet";
  CHECK(parqproof({"cat", deep}).code == 2);
  CHECK(parqproof({"cat", "--max-depth", "1001", deep}).code == 0);
}

TEST_CASE("cat reads standard input, and exits silently when its output pipe is closed") {
  CHECK(parqproof({"cat", "-"}, source_file("corpus/witnesses/page/within-chunk/pass-a.parquet")).out ==
        cat({kThree}));
  check_closed_pipe("cat '" + kNested + "'");
}

/// The text of a value for --lookup.
std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

TEST_CASE("cat --lookup prints the rows that a complete cat has with the value") {
  std::size_t looked_up = 0;
  for (const std::string& name : files_below("corpus/witnesses/legal/index-pages", ".parquet")) {
    const std::string path = PARQPROOF_SOURCE_DIR "/" + name;
    const std::vector<std::string> rows = lines_of(parqproof({"cat", path}).out);
    if (rows.empty() || !json::parse(rows.front()).contains("key")) continue;
    for (const std::string& row : rows) {
      const json key = json::parse(row)["key"];
      if (key.is_null()) continue;
      std::string expected;
      for (const std::string& other : rows) {
        if (json::parse(other)["key"] == key) expected += other + "\n";
      }
      const Outcome found = parqproof({"cat", "--lookup", "key=" + text_of(key), path});
      INFO(path << ", " << key);
      if (found.err.contains("have no order")) {  // INT96
        CHECK(found.code == 2);
        continue;
      }
      CHECK(found.code == 0);
      CHECK(found.out == expected);
      ++looked_up;
    }
  }
  CHECK(looked_up > 200);
}

TEST_CASE("cat --lookup prints nothing for an absent value and exits with 0") {
  for (const char* const key : {"key=-10", "key=13", "key=2147483647"}) {
    const Outcome none = parqproof({"cat", "--lookup", key, kTwoLevels});
    CHECK(none.code == 0);
    CHECK(none.out.empty());
    CHECK(none.err.contains("row group 0, column key: found no rows\n"));
  }
}

TEST_CASE("cat --lookup is rejected for a column without an index by values") {
  check_rejected(parqproof({"cat", "--lookup", "value=1000", kTwoLevels}),
                 "sorted by row ordinals, not by values: this row group is skipped");
  const Outcome none = parqproof({"cat", "--lookup", "a=1", kThree});
  CHECK(none.code == 2);
  CHECK(none.err.contains("column a has no index pages by values"));
}

TEST_CASE("cat --lookup reports the finding at a damaged index page") {
  const Outcome damaged =
      parqproof({"cat", "--lookup", "a=7", kCorpus + "witnesses/index-page/child/fail-j.parquet"});
  CHECK(damaged.code == 1);
  CHECK(damaged.out.empty());
  CHECK(damaged.err.contains("index-page/child"));
  CHECK(damaged.err.contains("row group 0, column a (leaf 0), page 3"));
}

}  // namespace
}  // namespace support
