#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/process.hpp"

namespace support {
namespace {

using nlohmann::json;

Outcome decode(std::vector<std::string> arguments, const std::string& input) {
  arguments.insert(arguments.begin(), "decode");
  return parqproof(arguments, input);
}

TEST_CASE("decode reads bytes or hex text, from a file or standard input") {
  const std::string bytes("\x01\x00\x00\x00\xff\xff\xff\xff", 8);
  const std::vector<std::string> options{"--encoding", "PLAIN", "--type", "INT32", "--count", "2"};
  CHECK(decode(options, bytes).out == "[1,-1]\n");
  const TemporaryFolder folder;
  std::vector<std::string> named = options;
  named.push_back(folder.write("section", bytes));
  CHECK(decode(named, "").out == "[1,-1]\n");
  std::vector<std::string> hex = options;
  hex.emplace_back("--hex");
  CHECK(decode(hex, " 01000000\n\tFF ff\r\nffff\n").out == "[1,-1]\n");
  hex.emplace_back("-");
  CHECK(decode(hex, "01000000ffffffff").out == "[1,-1]\n");
  for (const char* text : {"0", "0g", "01 0 0", "0x01000000ffffffff"}) CHECK(decode(hex, text).code == 2);
  named.back() = "/no/such/file";
  CHECK(decode(named, "").code == 2);
}

TEST_CASE("decode writes each type in its documented form") {
  const auto plain = [](const std::string& type, const std::string& count, const std::string& hex,
                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> options{"--encoding", "PLAIN", "--type", type, "--count", count, "--hex"};
    options.insert(options.end(), more.begin(), more.end());
    return decode(options, hex).out;
  };
  CHECK(plain("BOOLEAN", "3", "05") == "[true,false,true]\n");
  CHECK(plain("INT64", "1", "0000000000000080") == "[-9223372036854775808]\n");
  CHECK(plain("INT96", "1", "0102030405000000070809 0a") == "[\"01020304050000000708090a\"]\n");
  CHECK(plain("FLOAT", "4", "0000c07f 0000807f 000080ff 00000080") ==
        "[\"NaN\",\"Infinity\",\"-Infinity\",-0.0]\n");
  CHECK(plain("FLOAT", "1", "cdcccc3d") == "[0.1]\n");
  CHECK(plain("DOUBLE", "1", "9a9999999999b93f") == "[0.1]\n");
  CHECK(plain("BYTE_ARRAY", "2", "0200000000ff 00000000") == "[\"00ff\",\"\"]\n");
  CHECK(plain("FIXED_LEN_BYTE_ARRAY", "2", "61626364", {"--type-length", "2"}) == "[\"6162\",\"6364\"]\n");
  CHECK(plain("INT32", "0", "") == "[]\n");
}

TEST_CASE("a broken rule is one JSON object on standard error, and standard output is empty",
          "[plain/fixed-width-length]") {
  const Outcome outcome =
      decode({"--encoding", "PLAIN", "--type", "INT32", "--count", "2", "--hex"}, "01000000");
  CHECK(outcome.code == 1);
  CHECK(outcome.out.empty());
  const json finding = json::parse(outcome.err);
  CHECK(finding["rule"] == "plain/fixed-width-length");
  CHECK(finding["offset"] == 0);
  CHECK(finding["message"].is_string());
  CHECK(finding.size() == 3);
}

TEST_CASE("errors precede warnings, one object a line, and warnings alone are no failure",
          "[rle/overshoot][rle/trailing-bytes]") {
  const std::vector<std::string> options{"--encoding", "RLE", "--type", "BOOLEAN", "--count", "3", "--hex"};
  const Outcome warned = decode(options, "02000000 0801");
  CHECK(warned.code == 0);
  CHECK(warned.out == "[true,true,true]\n");
  CHECK(json::parse(warned.err)["rule"] == "rle/overshoot");
  const Outcome broken = decode(options, "03000000 080100");
  CHECK(broken.code == 1);
  CHECK(broken.out.empty());
  const std::size_t line = broken.err.find('\n') + 1;
  CHECK(json::parse(broken.err.substr(0, line))["rule"] == "rle/trailing-bytes");
  CHECK(json::parse(broken.err.substr(line))["rule"] == "rle/overshoot");
}

TEST_CASE("advice is not reported, and undefined features exit with 2",
          "[rle/header-canonical][alp/compression-mode]") {
  const Outcome advised = decode(
      {"--encoding", "RLE", "--type", "LEVEL", "--bit-width", "1", "--count", "3", "--hex"}, "8600 01");
  CHECK(advised.code == 0);
  CHECK(advised.err.empty());
  const Outcome unsupported =
      decode({"--encoding", "ALP", "--type", "DOUBLE", "--count", "1", "--hex"}, "01000a01000000");
  CHECK(unsupported.code == 2);
  CHECK(unsupported.out.empty());
  CHECK(json::parse(unsupported.err)["rule"] == "alp/compression-mode");
}

TEST_CASE("--max-work limits the decoding of few bytes that hold very many values", "[limit/work]") {
  // 70,000,000 times 7 in 67 blocks, and a byte too many.
  std::string section = "80804001 80bbb021 0e";
  for (int block = 0; block < 67; ++block) section += " 0000";
  section += " 00";
  const std::vector<std::string> words = {
      "--encoding", "DELTA_BINARY_PACKED", "--type", "INT32", "--count", "70000000", "--hex"};
  const Outcome limited = decode(words, section);
  CHECK(limited.code == 2);
  CHECK(json::parse(limited.err)["rule"] == "limit/work");
  CHECK(limited.err.contains("--max-work"));
  auto more = words;
  more.insert(more.end(), {"--max-work", "2"});
  const Outcome decoded = decode(more, section);
  CHECK(decoded.code == 1);
  CHECK(json::parse(decoded.err)["rule"] == "page/trailing-bytes");
}

TEST_CASE("decode rejects options that do not fit together") {
  const std::vector<std::vector<std::string>> calls = {
      {"--encoding", "PLAIN", "--type", "INT32"},
      {"--encoding", "PLAIN", "--count", "1"},
      {"--type", "INT32", "--count", "1"},
      {"--encoding", "NONE", "--type", "INT32", "--count", "1"},
      {"--encoding", "PLAIN", "--type", "INT16", "--count", "1"},
      {"--encoding", "PLAIN", "--type", "INT32", "--count", "-1"},
      {"--encoding", "PLAIN", "--type", "INT32", "--count", "2147483648"},
      {"--encoding", "PLAIN", "--type", "LEVEL", "--bit-width", "1", "--count", "1"},
      {"--encoding", "BIT_PACKED", "--type", "INT32", "--count", "1"},
      {"--encoding", "BIT_PACKED", "--type", "LEVEL", "--bit-width", "0", "--count", "1"},
      {"--encoding", "RLE", "--type", "LEVEL", "--count", "1"},
      {"--encoding", "RLE", "--type", "LEVEL", "--bit-width", "33", "--count", "1"},
      {"--encoding", "RLE", "--type", "LEVEL", "--bit-width", "4294967297", "--count", "1"},
      {"--encoding", "RLE", "--type", "INT32", "--count", "1"},
      {"--encoding", "PLAIN", "--type", "INT32", "--bit-width", "1", "--count", "1"},
      {"--encoding", "PLAIN", "--type", "INT32", "--type-length", "4", "--count", "1"},
      {"--encoding", "PLAIN", "--type", "FIXED_LEN_BYTE_ARRAY", "--count", "1"},
      {"--encoding", "RLE_DICTIONARY", "--type", "FLOAT", "--count", "1"},
      {"--encoding", "PLAIN", "--type", "INT32", "--selector", "le", "--count", "1"},
      {"--encoding", "GROUP_VAR_INT", "--type", "INT32", "--selector", "le", "--count", "1"},
      {"--encoding", "GROUP_VAR_INT", "--type", "INT64", "--selector", "me", "--count", "1"},
  };
  for (const std::vector<std::string>& call : calls) {
    CAPTURE(call);
    check_rejected(decode(call, ""));
  }
}

TEST_CASE("an explicit bit width of indices has to match the section") {
  std::vector<std::string> options{"--encoding", "RLE_DICTIONARY", "--type",      "INT32", "--count",
                                   "4",          "--hex",          "--bit-width", "2"};
  CHECK(decode(options, "02039000").out == "[0,0,1,2]\n");
  options.back() = "3";
  CHECK(decode(options, "02039000").code == 2);
}

}  // namespace
}  // namespace support
