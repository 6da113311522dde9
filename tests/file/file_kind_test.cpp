#include "codec/file/file_kind.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace parqproof {
namespace {

std::string kind_of(const std::string& head) {
  return std::string(file_kind({reinterpret_cast<const std::uint8_t*>(head.data()), head.size()}));
}

}  // namespace

TEST_CASE("what is no Parquet file is told by how it begins") {
  CHECK(kind_of("").empty());
  CHECK(kind_of(std::string(16, '\0')) == "zero bytes");
  CHECK(kind_of("{\"a\": 1}") == "JSON");
  CHECK(kind_of("[1, 2]") == "JSON");
  CHECK(kind_of("a,b\n1,2\n") == "text");
  CHECK(kind_of(std::string("a,b\n\x01", 5)).empty());
}

}  // namespace parqproof
