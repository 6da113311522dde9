#include "conformance/values/embedded_documents.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "codec/base/utf8.hpp"

namespace parqproof {
namespace {

std::span<const std::uint8_t> bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

bool is_json(JsonGrammar& grammar, std::string_view text) { return !grammar.fault(bytes(text)); }

/// Texts that nlohmann-json rejects beyond the grammar: numbers that no double holds, and halves of surrogate
/// pairs. It skips a byte order mark.
bool is_comparable(const std::string& text) {
  return text.find_first_of("eE") == std::string::npos && !text.contains("\\u") &&
         !text.starts_with("\xEF\xBB\xBF") && utf8_error(bytes(text)) == text.size();
}

std::vector<std::uint8_t> document(std::vector<std::uint8_t> elements) {
  const auto length = static_cast<std::uint8_t>(elements.size() + 5);
  elements.insert(elements.begin(), {length, 0, 0, 0});
  elements.push_back(0);
  return elements;
}

}  // namespace

TEST_CASE("a text is JSON exactly if another parser accepts it, byte by byte", "[logical-type/json]") {
  const std::string alphabet = R"({}[],:"\0123456789.-+eEtrufalsn u)"
                               "\n\t\x01\xC3\xA9/b";
  const std::vector<std::string> seeds = {R"({"a": [1, -2.5, true, false, null, "x\n\/"], "b": {}})",
                                          "[]",
                                          "0",
                                          "[[],[[1.0]],{}]",
                                          R"("text")",
                                          "-0.5",
                                          R"({"":{"":[{}]}})"};
  std::mt19937 random(7);
  JsonGrammar grammar;
  int valid = 0;
  int compared = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text = seeds[random() % seeds.size()];
    for (auto edits = random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0:
          text.insert(at, 1, c);
          break;
        case 1:
          if (at < text.size()) text[at] = c;
          break;
        default:
          if (at < text.size()) text.erase(at, 1);
      }
    }
    if (!is_comparable(text)) continue;
    ++compared;
    const bool expected = nlohmann::json::accept(text);
    valid += expected ? 1 : 0;
    INFO(text);
    REQUIRE(is_json(grammar, text) == expected);
  }
  CHECK(valid > 10'000);
  CHECK(compared - valid > 10'000);
}

TEST_CASE("the grammar of JSON limits no number and pairs no surrogates", "[logical-type/json]") {
  JsonGrammar grammar;
  CHECK(is_json(grammar, "1e999"));
  CHECK(is_json(grammar, "-123456789012345678901234567890.5E-400"));
  CHECK(is_json(grammar, R"("\ud800")"));
  CHECK_FALSE(is_json(grammar, "\xEF\xBB\xBF{}"));
  CHECK_FALSE(is_json(grammar, R"("\u12")"));
}

TEST_CASE("JSON that is nested a million times costs no stack", "[logical-type/json]") {
  constexpr std::size_t kDeep = 1'000'000;
  JsonGrammar grammar;
  CHECK(is_json(grammar, std::string(kDeep, '[') + std::string(kDeep, ']')));
  CHECK_FALSE(is_json(grammar, std::string(kDeep, '[')));
}

TEST_CASE("neither a prefix of a BSON document, nor one with a trailing byte, is a document",
          "[logical-type/bson]") {
  const std::vector<std::uint8_t> inner = document({0x08, 'b', 0, 1});
  std::vector<std::uint8_t> elements = {0x02, 's', 0, 3, 0, 0, 0, 'x', 'y', 0, 0x0A, 'n', 0, 0x03, 'd', 0};
  elements.insert(elements.end(), inner.begin(), inner.end());
  std::vector<std::uint8_t> bytes = document(elements);
  BsonGrammar grammar;
  REQUIRE_FALSE(grammar.fault(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(grammar.fault(std::span(bytes).first(size)));
  bytes.push_back(0);
  CHECK(grammar.fault(bytes));
}

TEST_CASE("a BSON fault is inside the value, whatever its bytes are", "[logical-type/bson]") {
  const std::vector<std::uint8_t> inner =
      document({0x08, 'b', 0, 1, 0x0F, 'c', 0, 15, 0, 0, 0, 2, 0, 0, 0, 'x', 0, 5, 0, 0, 0, 0});
  std::vector<std::uint8_t> elements = {0x02, 's', 0, 3, 0, 0, 0, 'x', 'y',  0,   0x05,
                                        'o',  0,   1, 0, 0, 0, 0, 7,   0x04, 'd', 0};
  elements.insert(elements.end(), inner.begin(), inner.end());
  const std::vector<std::uint8_t> bytes = document(elements);
  BsonGrammar grammar;
  REQUIRE_FALSE(grammar.fault(bytes));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::vector<std::uint8_t> changed = bytes;
      changed[at] = static_cast<std::uint8_t>(byte);
      const std::optional<DocumentFault> fault = grammar.fault(changed);
      if (fault) REQUIRE(fault->at <= changed.size());
    }
  }
}

TEST_CASE("a BSON document that is nested 100,000 times costs no stack", "[logical-type/bson]") {
  constexpr std::size_t kDeep = 100'000;
  std::vector<std::uint8_t> bytes;
  std::size_t left = 5 + 7 * kDeep;
  for (std::size_t i = 0; i <= kDeep; ++i, left -= 7) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(left >> shift));
    if (i != kDeep) bytes.insert(bytes.end(), {0x03, 0});
  }
  bytes.insert(bytes.end(), kDeep + 1, 0);
  BsonGrammar grammar;
  CHECK_FALSE(grammar.fault(bytes));
}

}  // namespace parqproof
