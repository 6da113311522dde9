#include "tests/support/json_schema.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

namespace support {
namespace {

using nlohmann::json;

bool fits(const char* schema, const char* value) {
  return validate(json::parse(schema), json::parse(value)).empty();
}

TEST_CASE("each keyword of a schema constrains values") {
  CHECK(fits(R"({"type":"integer"})", "18446744073709551615"));
  CHECK_FALSE(fits(R"({"type":"integer"})", "1.5"));
  CHECK_FALSE(fits(R"({"type":"integer"})", R"("1")"));
  CHECK(fits(R"({"type":"boolean"})", "false"));
  CHECK_FALSE(fits(R"({"type":"boolean"})", "0"));
  CHECK_FALSE(fits(R"({"type":"object"})", "[]"));
  CHECK(fits(R"({"const":1})", "1"));
  CHECK_FALSE(fits(R"({"const":1})", "2"));
  CHECK(fits(R"({"enum":["a","b"]})", R"("b")"));
  CHECK_FALSE(fits(R"({"enum":["a","b"]})", R"("c")"));
  CHECK(fits(R"({"minimum":0})", "0"));
  CHECK_FALSE(fits(R"({"minimum":0})", "-1"));
  CHECK(fits(R"({"pattern":"^a+$"})", R"("aa")"));
  CHECK_FALSE(fits(R"({"pattern":"^a+$"})", R"("ab")"));
  CHECK(fits(R"({"anyOf":[{"type":"null"},{"type":"string"}]})", "null"));
  CHECK_FALSE(fits(R"({"anyOf":[{"type":"null"},{"type":"string"}]})", "1"));
  CHECK(fits(R"({"required":["a"]})", R"({"a":1})"));
  CHECK_FALSE(fits(R"({"required":["a"]})", R"({"b":1})"));
  CHECK(fits(R"({"items":{"type":"string"}})", R"(["a"])"));
  CHECK_FALSE(fits(R"({"items":{"type":"string"}})", R"(["a",1])"));
  CHECK_FALSE(fits(R"({"properties":{"a":{"type":"string"}}})", R"({"a":1})"));
  CHECK(fits(R"({"properties":{"a":{"type":"string"}}})", R"({"b":1})"));
  CHECK_FALSE(fits(R"({"properties":{"a":{}},"additionalProperties":false})", R"({"b":1})"));
  CHECK_FALSE(fits(R"({"additionalProperties":false})", R"({"b":1})"));
  CHECK(fits(R"({"properties":{"a":{}},"additionalProperties":{"type":"string"}})", R"({"a":1,"b":"c"})"));
  CHECK_FALSE(
      fits(R"({"properties":{"a":{}},"additionalProperties":{"type":"string"}})", R"({"a":1,"b":2})"));
}

TEST_CASE("references are followed, and a complaint names the place") {
  const json schema = json::parse(
      R"({"$ref":"#/$defs/list","$defs":{"list":{"items":{"$ref":"#/$defs/count"}},"count":{"minimum":0}}})");
  CHECK(validate(schema, json::parse("[0,1]")).empty());
  CHECK(validate(schema, json::parse("[0,-1]")) == "/1: minimum 0, not -1");
}

TEST_CASE("an unknown keyword is a complaint, not a skipped constraint") {
  CHECK_FALSE(fits(R"({"maximum":1})", "0"));
}

TEST_CASE("a report that violates the schema is detected") {
  CHECK(validate_report("{") == "no JSON");
  CHECK_FALSE(validate_report("{}").empty());
  const std::string commit(40, 'a');
  const std::string head =
      R"({"report_version":1,"tool":{"name":"parqproof","version":"1.2.3"},"spec":{"name":"parquet-format","commit":")" +
      commit + R"("},"files":[)";
  const std::string file =
      R"("path":"-","tier":"values","profile":"strict","errors":0,"warnings":0,"infos":0,"not_run":[],"lost":[],"findings":[],"truncated":false,"omitted":{"error":0,"warning":0,"info":0})";
  const std::string tail = R"(}],"changes":[],"summary":{"files":1,"verdicts":{},"rules":[]}})";
  CHECK(validate_report(head + R"({"verdict":"conforming",)" + file + tail).empty());
  CHECK_FALSE(validate_report(head + R"({"verdict":"fine",)" + file + tail).empty());
  CHECK_FALSE(validate_report(head + R"({"verdict":"conforming","more":1,)" + file + tail).empty());
}

}  // namespace
}  // namespace support
