// corpus/index.json is valid by its schema, and agrees with the sidecars.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "tests/support/json_schema.hpp"
#include "tests/support/process.hpp"
#include "tests/witnesses/witness.hpp"

namespace support {
namespace {

using nlohmann::json;

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
