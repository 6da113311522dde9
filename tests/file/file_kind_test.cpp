#include "codec/file/file_kind.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/source.hpp"

namespace parqproof {
namespace {

using namespace std::string_view_literals;

std::string kind_of(const std::string& head) {
  return std::string(file_kind({reinterpret_cast<const std::uint8_t*>(head.data()), head.size()}));
}

// The first bytes of files as their programs write them.
constexpr std::pair<std::string_view, std::string_view> kHeads[] = {
    {"<!DOCTYPE html>\n<html>"sv, "an HTML page"},
    {"<HTML><head>"sv, "an HTML page"},
    {"<?xml version=\"1.0\"?>"sv, "an XML document"},
    {"version https://git-lfs.github.com/spec/v1\n"sv, "a Git LFS pointer in place of the file"},
    {"\x1F\x8B\x08\0"sv, "a gzip stream"},
    {"BZh91AY&SY"sv, "a bzip2 stream"},
    {"\xFD"
     "7zXZ\0\0\4"sv,
     "an XZ stream"},
    {"\x04\x22\x4D\x18\x64"sv, "an LZ4 frame"},
    {"\xFF\x06\0\0sNaPpY"sv, "a framed Snappy stream"},
    {"7z\xBC\xAF\x27\x1C\0"sv, "a 7z archive"},
    {"Rar!\x1A\x07\x01\0"sv, "a RAR archive"},
    {"\x28\xB5\x2F\xFD\x24"sv, "a Zstandard stream"},
    {"PK\x03\x04\x14"sv, "a ZIP archive"},
    {"PK\x05\x06\0"sv, "an empty ZIP archive"},
    {"ORC\x1D"sv, "an ORC file"},
    {"Obj\x01\x04"sv, "an Avro file"},
    {"ARROW1\0\0"sv, "an Arrow IPC file"},
    {"FEA1\0\0"sv, "a Feather file (version 1)"},
    {"SEQ\x06\x19"sv, "a Hadoop sequence file"},
    {"RCF\x01\0"sv, "an RCFile"},
    {"SQLite format 3\0"sv, "an SQLite database"},
    {"\x89HDF\r\n\x1A\n"sv, "an HDF5 file"},
    {"%PDF-1.7\n"sv, "a PDF document"},
    {"\x89PNG\r\n\x1A\n"sv, "a PNG picture"},
    {"\xFF\xFEP\0A\0"sv, "UTF-16 text"},
    {"\xFF\xFF\xFF\xFF\x78\0\0\0\x10\0\0\0\0\0\x0A\0"sv, "an Arrow IPC stream"},
};

}  // namespace

TEST_CASE("files of other formats are recognized by their first bytes") {
  for (const auto& [head, name] : kHeads) {
    INFO(name);
    CHECK(kind_of(std::string(head)) == name);
    CHECK(kind_of("P" + std::string(head)) != name);
  }
  std::string tar(512, '\0');
  tar.replace(0, 5, "a.txt").replace(257, 5, "ustar");
  CHECK(kind_of(tar) == "a tar archive");
  CHECK(kind_of(tar.substr(0, 261)).empty());
}

TEST_CASE("a file that is no Parquet file is described by its first bytes") {
  CHECK(kind_of("").empty());
  CHECK(kind_of(std::string(16, '\0')) == "zero bytes");
  CHECK(kind_of("{\"a\": 1}") == "JSON");
  CHECK(kind_of("[1, 2]") == "JSON");
  CHECK(kind_of("a,b\n1,2\n") == "text");
  CHECK(kind_of(std::string("a,b\n\x01", 5)).empty());
}

namespace {

std::string name_of(const std::string& bytes, std::uint64_t most_zeros = UINT64_MAX) {
  const MemorySource source({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  const std::optional<OtherFormat> format = other_format(source, bytes.size(), most_zeros);
  return format ? format->name : "";
}

}  // namespace

TEST_CASE("the format of a file that is no Parquet file is recognized by its beginning",
          "[file/other-format]") {
  CHECK(name_of("").empty());
  CHECK(name_of(std::string(70'000, '\0')) == "zero bytes throughout");
  CHECK(name_of(std::string(70'000, '\0') + "x").empty());
  CHECK(name_of(std::string(70'000, '\0'), 70'000) == "zero bytes throughout");
  CHECK(name_of(std::string(70'000, '\0'), 69'999).empty());
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
