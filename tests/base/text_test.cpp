#include "codec/base/text.hpp"

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

namespace parqproof {
namespace {

TEST_CASE("numbers are printed as the shortest text that round-trips") {
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(0.1F) == "0.1");
  // 7.038531e-26 is nearest to the first, but the nearest double is halfway to another float.
  for (const std::uint32_t bits : {0x15AE43FDU, 0x95AE43FDU}) {
    const auto value = std::bit_cast<float>(bits);
    CHECK(static_cast<float>(std::stod(shortest(value))) == value);
    CHECK(std::stof(shortest(value)) == value);
  }
  CHECK(shortest(-0.0) == "-0");
  CHECK(std::stod(shortest(1.0 / 3)) == 1.0 / 3);
  CHECK(shortest(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(shortest(-std::numeric_limits<float>::quiet_NaN()) == "NaN");
  CHECK(shortest(std::numeric_limits<double>::infinity()) == "Infinity");
  CHECK(shortest(-std::numeric_limits<float>::infinity()) == "-Infinity");
}

TEST_CASE("hex is lower case, two digits a byte") {
  const std::array<std::uint8_t, 3> bytes = {0x00, 0x0A, 0xFF};
  CHECK(hex(bytes) == "000aff");
  CHECK(hex(bytes, " ") == "00 0a ff");
  CHECK(hex({}, " ").empty());
  std::string out = "0x";
  append_hex(out, bytes);
  CHECK(out == "0x000aff");
}

TEST_CASE("a number in hex has eight digits, the most significant first") {
  CHECK(hex_number(0x0012ABCD) == "0012abcd");
  CHECK(hex_number(0xFEDCBA98) == "fedcba98");
}

}  // namespace
}  // namespace parqproof
