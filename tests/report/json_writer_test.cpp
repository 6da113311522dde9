#include "conformance/report/json_writer.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "codec/base/utf8.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

void write_everything(Out& out, std::size_t broken) {
  JsonWriter writer(out, broken);
  writer.begin_object();
  writer.member("smallest", std::numeric_limits<std::int64_t>::min());
  writer.member("largest", std::numeric_limits<std::uint64_t>::max());
  writer.member("yes", true);
  writer.key("nothing");
  writer.null();
  writer.key("numbers");
  writer.begin_array();
  writer.real(0.1);
  writer.real(-0.0);
  writer.real(std::numeric_limits<double>::quiet_NaN());
  writer.real(-std::numeric_limits<double>::infinity());
  writer.end();
  writer.key("empty");
  writer.begin_array();
  writer.end();
  writer.key("inner");
  writer.begin_object();
  writer.member("text", "a\"\n");
  writer.end();
  writer.end();
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
  CHECK(broken.contains("\n  \"yes\": true,\n"));
  CHECK(broken.contains("\"empty\": [],\n"));
}

using namespace std::string_literals;

bool is_utf8(const std::string& text) {
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return utf8_error(bytes) == text.size();
}

TEST_CASE("text for a terminal escapes control characters and bytes that are not UTF-8") {
  CHECK(printable("plain text") == "plain text");
  CHECK(printable("gr\xC3\xBC\xC3\x9F") == "gr\xC3\xBC\xC3\x9F");
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable("\x1b[31mred\x07"s) == "\\x1b[31mred\\x07");
  CHECK(printable("\0"s) == "\\x00");
  CHECK(printable("\x7f") == "\\x7f");
  CHECK(printable("\xC2\x9B") == "\\u009b");  // the C1 form of ESC [
  CHECK(printable("\xE2\x80\xAE"
                  "abc") == "\\u202eabc");  // reverses the direction of writing
  CHECK(printable("\xff\xC3") == "\\xff\\xc3");
  CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  CHECK(printable("a\\n") == "a\\\\n");
}

TEST_CASE("a JSON string is valid UTF-8 and round-trips") {
  CHECK(json_string("a\"b\\c") == R"("a\"b\\c")");
  CHECK(json_string("\x1b\n") == R"("\u001b\u000a")");
  CHECK(json_string("\x7f\xC2\x9B") == R"("\u007f\u009b")");
  CHECK(json_string("a\xffz") == "\"a\xEF\xBF\xBDz\"");
  CHECK(json_string("\xF0\x9F\x98\x80") == "\"\xF0\x9F\x98\x80\"");
}

TEST_CASE("any bytes give a valid JSON string and a text without control characters") {
  std::mt19937 random(7);
  constexpr std::array<std::uint8_t, 12> escaped = {0x1B, 0x7F, 0xC2, 0x9B, 0xE2, 0x80,
                                                    0xAE, 0xF0, 0x90, 0xFF, '"',  '\\'};
  for (int i = 0; i < 5000; ++i) {
    std::string bytes;
    for (auto n = random() % 12; n > 0; --n) {
      bytes += static_cast<char>(random() % 2 == 0 ? escaped[random() % escaped.size()] : random() % 256);
    }
    const std::string quoted = json_string(bytes);
    const std::string text = printable(bytes);
    CAPTURE(bytes);
    REQUIRE(nlohmann::json::accept(quoted));
    for (const std::string& out : {quoted, text}) {
      REQUIRE(is_utf8(out));
      for (std::size_t at = 0; at < out.size(); ++at) {
        const auto byte = static_cast<std::uint8_t>(out[at]);
        REQUIRE(byte >= 0x20);
        REQUIRE(byte != 0x7F);
        REQUIRE_FALSE((byte == 0xC2 && static_cast<std::uint8_t>(out[at + 1]) < 0xA0));
      }
    }
  }
}

}  // namespace
}  // namespace parqproof
