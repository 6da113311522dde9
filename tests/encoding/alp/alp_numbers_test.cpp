#include "codec/encoding/alp/alp_numbers.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <string>

namespace parqproof::alp {
namespace {

// std::stof refuses small numbers.
template <typename F>
F number_next_to(const std::string& decimal) {
  F number = 0;
  std::from_chars(decimal.data(), decimal.data() + decimal.size(), number);
  return number;
}

}  // namespace

TEMPLATE_TEST_CASE("ALP multiplies by the numbers next to the powers of ten", "", float, double) {
  for (unsigned power = 0; power <= Powers<TestType>::kMaxExponent; ++power) {
    CHECK(Powers<TestType>::kUp[power] == number_next_to<TestType>("1e" + std::to_string(power)));
    CHECK(Powers<TestType>::kDown[power] == number_next_to<TestType>("1e-" + std::to_string(power)));
  }
}

}  // namespace parqproof::alp
