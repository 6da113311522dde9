#include <algorithm>
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

const std::string kRoot = PARQPROOF_SOURCE_DIR "/";
const std::string kTwoLevels = kRoot + "corpus/witnesses/legal/index-pages/pass-a.parquet";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The text of a value for --lookup.
std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

TEST_CASE("cat --lookup prints the rows that a complete cat has with the value") {
  std::size_t looked_up = 0;
  for (const std::string& path : files_below("corpus/witnesses/legal/index-pages", ".parquet")) {
    const std::vector<std::string> rows = lines_of(parqproof({"cat", kRoot + path}).out);
    if (rows.empty() || !json::parse(rows.front()).contains("key")) continue;
    for (const std::string& row : rows) {
      const json key = json::parse(row)["key"];
      if (key.is_null()) continue;
      std::string expected;
      for (const std::string& other : rows) {
        if (json::parse(other)["key"] == key) expected += other + "\n";
      }
      const Outcome found = parqproof({"cat", "--lookup", "key=" + text_of(key), kRoot + path});
      INFO(path << ", " << key);
      if (found.err.find("have no order") != std::string::npos) {  // INT96
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
    CHECK(none.err.find("row group 0, column key: found in no row\n") != std::string::npos);
  }
}

TEST_CASE("cat --lookup is rejected for a column without an index by values") {
  const Outcome by_rows = parqproof({"cat", "--lookup", "value=1000", kTwoLevels});
  CHECK(by_rows.code == 2);
  CHECK(by_rows.out.empty());
  CHECK(by_rows.err.find("by ordinals of rows, not by values") != std::string::npos);
  const Outcome none =
      parqproof({"cat", "--lookup", "a=1", kRoot + "corpus/witnesses/page/within-chunk/pass-a.parquet"});
  CHECK(none.code == 2);
  CHECK(none.err.find("column a has no index pages by values") != std::string::npos);
}

TEST_CASE("cat --lookup reports the finding at a damaged index page") {
  const Outcome damaged =
      parqproof({"cat", "--lookup", "a=7", kRoot + "corpus/witnesses/index-page/child/fail-j.parquet"});
  CHECK(damaged.code == 1);
  CHECK(damaged.out.empty());
  CHECK(damaged.err.find("index-page/child") != std::string::npos);
  CHECK(damaged.err.find("row group 0, column a (leaf 0), page 3") != std::string::npos);
}

}  // namespace
}  // namespace support
