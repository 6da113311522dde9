#include "conformance/report/json_writer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <nlohmann/json.hpp>

namespace parqproof {
namespace {

void write_everything(Out& out, std::size_t broken) {
  JsonWriter json(out, broken);
  json.begin_object();
  json.member("smallest", std::numeric_limits<std::int64_t>::min());
  json.member("largest", std::numeric_limits<std::uint64_t>::max());
  json.member("yes", true);
  json.key("nothing");
  json.null();
  json.key("numbers");
  json.begin_array();
  json.real(0.1);
  json.real(-0.0);
  json.real(std::numeric_limits<double>::quiet_NaN());
  json.real(-std::numeric_limits<double>::infinity());
  json.end();
  json.key("empty");
  json.begin_array();
  json.end();
  json.key("inner");
  json.begin_object();
  json.member("text", "a\"\n");
  json.end();
  json.end();
}

TEST_CASE("JSON has integers in full, and numbers that JSON does not have as strings") {
  std::string text;
  {
    Out out(text);
    write_everything(out, 0);
  }
  CHECK(text ==
        R"({"smallest":-9223372036854775808,"largest":18446744073709551615,"yes":true,"nothing":null,)"
        R"("numbers":[0.1,-0.0,"NaN","-Infinity"],"empty":[],"inner":{"text":"a\"\u000a"}})"
        "\n");
}

TEST_CASE("line breaks change only the layout of JSON") {
  std::string flat;
  std::string broken;
  {
    Out a(flat);
    Out b(broken);
    write_everything(a, 0);
    write_everything(b, 2);
  }
  CHECK(nlohmann::json::parse(flat) == nlohmann::json::parse(broken));
  CHECK(broken.find("\n  \"yes\": true,\n") != broken.npos);
  CHECK(broken.find("\"empty\": [],\n") != broken.npos);
}

}  // namespace
}  // namespace parqproof
