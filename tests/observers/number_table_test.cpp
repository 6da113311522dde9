#include "conformance/observers/number_table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace parqproof {
namespace {

/// Texts in the order in which they were added, with the length as their hash: many of them collide.
class Texts {
 public:
  bool add(const std::string& text) {
    const bool is_new = numbers.add(
        text.size(), [&](std::size_t number) { return all[number] == text; },
        [this](std::size_t number) { return all[number].size(); });
    if (is_new) all.push_back(text);
    return is_new;
  }
  [[nodiscard]] bool contains(const std::string& text) const {
    return numbers.contains(text.size(), [&](std::size_t number) { return all[number] == text; });
  }
  void clear() {
    numbers.clear();
    all.clear();
  }

  std::vector<std::string> all;
  NumberTable numbers;
};

TEST_CASE("values with the same hash get numbers of their own, and keep them when the table grows",
          "[unit]") {
  Texts texts;
  CHECK_FALSE(texts.contains("0"));
  for (int i = 0; i < 100; ++i) REQUIRE(texts.add(std::to_string(i)));
  for (int i = 0; i < 100; ++i) {
    CHECK(texts.contains(std::to_string(i)));
    CHECK_FALSE(texts.add(std::to_string(i)));
  }
  CHECK_FALSE(texts.contains("100"));
  CHECK(texts.numbers.size() == 100);
}

TEST_CASE("a table that was cleared contains none of its former values", "[unit]") {
  Texts texts;
  for (int round = 0; round < 50; ++round) {
    for (int i = round; i < round + 20; ++i) REQUIRE(texts.add(std::to_string(i)));
    CHECK(texts.numbers.size() == 20);
    texts.clear();
    CHECK(texts.numbers.size() == 0);
    CHECK_FALSE(texts.contains(std::to_string(round)));
  }
}

TEST_CASE("a table with room for its values takes as many of them", "[unit]") {
  Texts texts;
  texts.numbers.reserve(1000);
  for (int i = 0; i < 1000; ++i) REQUIRE(texts.add(std::to_string(i)));
  CHECK_FALSE(texts.add("999"));
}

}  // namespace
}  // namespace parqproof
