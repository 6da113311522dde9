#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.hpp"

namespace support {
namespace {

using nlohmann::json;

const std::string kCorpus = PARQPROOF_SOURCE_DIR "/corpus/";
const std::string kNested = kCorpus + "writers/pyarrow/default-nested.parquet";
const std::string kThree = kCorpus + "witnesses/page/within-chunk/pass-a.parquet";

std::string cat(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "cat");
  const Outcome outcome = parqproof(arguments);
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

TEST_CASE("cat prints one object a row, keys in the order of the schema") {
  CHECK(cat({kThree}) == "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
  const std::string text = cat({"--limit", "1", kNested});
  CHECK(text.starts_with("{\"id\":0,\"point\":{\"x\":null,"));
  CHECK(text.find("\"matrix\":[null],") != std::string::npos);
  CHECK(text.find("\"pairs\":[{\"key\":\"k0\",\"value\":947},") != std::string::npos);
  CHECK(text.find("\"numbers\":null,") != std::string::npos);
}

TEST_CASE("cat --physical prints every group and repeated field under its own name") {
  const std::string text = cat({"--physical", "--limit", "1", kNested});
  CHECK(text.find("\"matrix\":{\"list\":[{\"element\":null}]}") != std::string::npos);
  CHECK(text.find("\"pairs\":{\"key_value\":[{\"key\":\"6b30\",\"value\":947},") != std::string::npos);
}

TEST_CASE("cat --columns prints the named columns and groups, in the order of the schema") {
  CHECK(cat({"--columns", "point.y,id", "--limit", "1", kNested}) == "{\"id\":0,\"point\":{\"y\":542.06}}\n");
  CHECK(cat({"--columns", "pairs.key_value.key", "--rows", "1:2", kNested}) ==
        "{\"pairs\":[{\"key\":\"k0\"}]}\n");
  CHECK(cat({"--columns", "id", "--columns", "matrix", "--limit", "1", kNested}) ==
        "{\"id\":0,\"matrix\":[null]}\n");
  const Outcome unknown = parqproof({"cat", "--columns", "id,nothing", kNested});
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
  CHECK(unknown.err.find("'nothing'") != std::string::npos);
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
  std::vector<std::string> lines;
  std::istringstream complete(cat({kNested}));
  for (std::string line; std::getline(complete, line);) lines.push_back(line);
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
  CHECK(outcome.err.find("crc/match") != std::string::npos);
  CHECK(outcome.err.find("row group 0, column ") != std::string::npos);
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
  CHECK(limit.err.find("limit/page-size") != std::string::npos);
  const std::string deep = witnesses + "limit/schema-depth/fail-a.parquet";
  CHECK(parqproof({"cat", deep}).code == 2);
  CHECK(parqproof({"cat", "--max-depth", "1001", deep}).code == 0);
}

TEST_CASE("cat reads standard input, and exits silently when its output pipe is closed") {
  CHECK(parqproof({"cat", "-"}, source_file("corpus/witnesses/page/within-chunk/pass-a.parquet")).out ==
        cat({kThree}));
  const TemporaryFolder folder;
  const std::string err = folder.path() + "/err";
  const std::string command = "{ '" + std::string(PARQPROOF_BINARY) + "' cat '" + kNested + "'; echo $? > '" +
                              folder.path() + "/code'; } 2> '" + err + "' | head -c 1 > /dev/null";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 0);
  CHECK(WEXITSTATUS(std::system(
            ("test ! -s '" + err + "' && grep -qx 0 '" + folder.path() + "/code'").c_str())) == 0);
}

}  // namespace
}  // namespace support
