// Files of other writers: the complete report of `check`, byte by byte; and the index of the corpus.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/json_schema.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"
#include "tests/witnesses/witness.hpp"

namespace support {
namespace {

using nlohmann::json;

const std::string kFolder = "corpus/writers/";

json manifest() { return json::parse(source_file(kFolder + "manifest.json")); }

std::string golden_of(std::string file) {
  file.replace(file.rfind(".parquet"), std::string::npos, ".report.json");
  return source_file(kFolder + file);
}

json report_of(const std::string& file) {
  json report = json::parse(json_of(judged(read_bytes(kFolder + file), {.listed = 0}, file)));
  report["tool"]["version"] = "0.0.0";  // versions of parqproof change nothing in the committed reports
  return report;
}

TEST_CASE("the report of every writer's file equals the committed one", "[corpus]") {
  for (const json& entry : manifest()) {
    const std::string file = entry["file"];
    INFO(file);
    CHECK(json::diff(json::parse(golden_of(file)), report_of(file)) == json::array());
  }
}

TEST_CASE("the manifest lists exactly the errors in every writer's file", "[corpus]") {
  for (const json& entry : manifest()) {
    INFO(entry["file"]);
    json errors = json::array();
    const json report = json::parse(golden_of(entry["file"]));
    for (const json& finding : report["files"][0]["findings"]) {
      if (finding["severity"] != "error") continue;
      json error = {{"rule", finding["rule"]}, {"offset", finding["offset"]}, {"clause", finding["clause"]}};
      if (finding["space"] == "page")
        error.update({{"space", "page"}, {"page_offset", finding["page_offset"]}});
      errors.push_back(error);
    }
    json expected = entry["expected"];
    for (json& error : expected) error.erase("why");
    CHECK(errors == expected);
  }
}

TEST_CASE("every file has a verdict, and none is limit or unreadable", "[corpus]") {
  std::set<std::string> verdicts;
  for (const json& entry : manifest()) {
    const json report = json::parse(golden_of(entry["file"]))["files"][0];
    const std::string verdict = report["verdict"];
    INFO(entry["file"]);
    CHECK((verdict == "conforming" || verdict == "nonconforming" || verdict == "malformed" ||
           verdict == "unsupported"));
    CHECK((verdict == "conforming" || verdict == "unsupported") == entry["expected"].empty());
    verdicts.insert(verdict);
  }
  CHECK(verdicts.size() >= 3);
}

TEST_CASE("the index of the corpus fits its schema, and lists every witness with the content of its sidecar",
          "[corpus]") {
  const json index = json::parse(source_file("corpus/index.json"));
  CHECK(validate(json::parse(source_file("conformance/json-schema/index.schema.json")), index) == "");
  std::map<std::string, json> entries;
  for (const json& file : index["files"]) entries[file["file"]] = file;
  for (const Witness& witness : witnesses()) {
    INFO(witness.path);
    const std::string path = witness.path.substr(std::string_view("corpus/").size());
    REQUIRE(entries.contains(path));
    const json& entry = entries[path];
    CHECK(entry["rule"] == witness.rule());
    CHECK(entry["verdict"] == witness.sidecar["verdict"]);
    CHECK(entry["duty"] == witness.sidecar["reader"]);
    for (const auto& [name, key] : {std::pair{"clause", "reader_clause"}, std::pair{"rows", "rows"}})
      CHECK(entry.value(name, "") == witness.sidecar.value(key, ""));
  }
}

}  // namespace
}  // namespace support
