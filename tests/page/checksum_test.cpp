#include "codec/page/checksum.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

namespace parqproof {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("checksums have the check values of their catalogues") {
  CHECK(crc32(bytes_of("123456789")) == 0xCBF43926U);
  CHECK(crc32c(bytes_of("123456789")) == 0xE3069283U);
  CHECK(crc32({}) == 0);
  CHECK(crc32c({}) == 0);
}

}  // namespace parqproof
