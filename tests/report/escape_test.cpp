#include "conformance/report/escape.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "codec/base/utf8.hpp"

namespace parqproof {
namespace {

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
    const std::string json = json_string(bytes);
    const std::string text = printable(bytes);
    CAPTURE(bytes);
    REQUIRE(nlohmann::json::accept(json));
    for (const std::string& out : {json, text}) {
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
