#include "codec/file/other_format.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/base/source.hpp"

namespace parqproof {
namespace {

std::string name_of(const std::string& bytes) {
  const MemorySource source({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  const std::optional<OtherFormat> format = other_format(source, bytes.size());
  return format ? format->name : "";
}

}  // namespace

TEST_CASE("the format of a file that is no Parquet file is recognized by its beginning",
          "[file/other-format]") {
  CHECK(name_of("").empty());
  CHECK(name_of(std::string(70'000, '\0')) == "zero bytes throughout");
  CHECK(name_of(std::string(70'000, '\0') + "x").empty());
  CHECK(name_of("a,b\n1,2\n") == "CSV text");
  CHECK(name_of("a\tb\n1\t2\n") == "CSV text");
  CHECK(name_of("name;city\nJos\xC3\xA9;K\xC3\xB6ln\n") == "CSV text");
  CHECK(name_of("one line, and another\nwithout a comma\n") == "text");
  CHECK(name_of("{\"a\": 1}\n{\"a\": 2}\n") == "JSON Lines");
  CHECK(name_of("[{\"a\": 1}]") == "JSON");
  CHECK(name_of("UEFSMRUE") == "Base64 text");
  CHECK(name_of("50415231") == "hexadecimal text");
  CHECK(name_of(std::string("\xFF\xFEP\0A\0", 6)) == "UTF-16 text");
  CHECK(name_of("\xFF\xFF\xFF\xFF").empty());
  CHECK(name_of("\x80\x81\x82").empty());
}

}  // namespace parqproof
