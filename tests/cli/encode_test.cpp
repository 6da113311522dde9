#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/process.hpp"

namespace support {
namespace {

Outcome encode(std::vector<std::string> arguments, const std::string& values) {
  arguments.insert(arguments.begin(), "encode");
  return parqproof(arguments, values);
}

std::vector<std::string> section(const std::string& encoding, const std::string& type,
                                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"--encoding", encoding, "--type", type};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string hex_of(const std::string& encoding, const std::string& type, const std::string& values,
                   std::vector<std::string> more = {}) {
  more.emplace_back("--hex");
  const Outcome outcome = encode(section(encoding, type, more), values);
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  return outcome.out;
}

/// The digits as a line of output, without their spaces.
std::string line(std::string digits) {
  std::erase(digits, ' ');
  return digits + "\n";
}

}  // namespace

TEST_CASE("encode writes the examples of the specification") {
  CHECK(hex_of("RLE", "LEVEL", "[0,1,2,3,4,5,6,7]", {"--bit-width", "3"}) == "0388c6fa\n");
  CHECK(hex_of("BIT_PACKED", "LEVEL", "[0,1,2,3,4,5,6,7]", {"--bit-width", "3"}) == "053977\n");
  CHECK(hex_of("DELTA_BINARY_PACKED", "INT32", "[1,2,3,4,5]", {"--block-size", "128", "--miniblocks", "4"}) ==
        "80010405020200000000\n");
  CHECK(hex_of("BYTE_STREAM_SPLIT", "FLOAT", "[1.0,-2.5]") == line("000000008020 3fc0"));
  CHECK(hex_of("PLAIN", "BYTE_ARRAY", "[\"00ff\",\"\"]") == "0200000000ff00000000\n");
  CHECK(hex_of("PLAIN", "FLOAT", "[0, -0, 0.0, -0.0]") == "00000000000000800000000000000080\n");
  CHECK(hex_of("PLAIN", "DOUBLE", "[-0]") == "0000000000000080\n");
}

TEST_CASE("encode writes bytes or hex text, from a file or standard input") {
  const TemporaryFolder folder;
  const std::string file = folder.write("values", "[1, -1]");
  CHECK(encode(section("PLAIN", "INT32", {file}), "").out ==
        std::string("\x01\x00\x00\x00\xff\xff\xff\xff", 8));
  CHECK(encode(section("PLAIN", "INT32", {"-", "--hex"}), " [ 7 ] ").out == "07000000\n");
  CHECK(encode(section("PLAIN", "INT32", {"/no/such/file"}), "").code == 2);
}

TEST_CASE("every choice that the specification leaves open is an option of encode that changes the bytes") {
  const std::string runs = "[5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,1]";
  CHECK(hex_of("RLE_DICTIONARY", "INT32", runs) == "03200503010000\n");
  CHECK(hex_of("RLE_DICTIONARY", "INT32", runs, {"--runs", "rle", "--bit-width", "9"}) == "09200500020100\n");
  CHECK(hex_of("RLE_DICTIONARY", "INT32", runs, {"--runs", "packed", "--padding", "255"}) ==
        "03076ddbb66ddbb6f9ffff\n");
  CHECK(hex_of("RLE", "BOOLEAN", "[true]", {"--varint-bytes", "3"}) == "0400000083800001\n");
  CHECK(hex_of("DELTA_BINARY_PACKED", "INT64", "[3,3]",
               {"--spare-bits", "2", "--block-size", "128", "--miniblocks", "4"}) ==
        line("80010402060002000000 0000000000000000"));
  CHECK(hex_of("DELTA_BINARY_PACKED", "INT32", "[3,3]", {"--reference-slack", "1", "--miniblocks", "4"}) ==
        line("80010402060101000000 01000000"));
  CHECK(hex_of("DELTA_BYTE_ARRAY", "BYTE_ARRAY", "[\"6161\",\"6161\"]", {"--prefixes", "longest"}) ==
        line("800104020004 00000000 800104020403 00000000 6161"));
  CHECK(hex_of("DELTA_BINARY_PACKED", "INT32", "[3,4]",
               {"--padding", "255", "--unneeded-width", "7", "--miniblocks", "4", "--reference-slack",
                "1"}) == line("80010402060001070707 ffffffff"));
  CHECK(hex_of("DELTA_BINARY_PACKED", "INT32", "[3,4]", {"--padding", "255", "--miniblocks", "4"}) ==
        "80010402060200ffffff\n");
  for (const auto& [encoding, type] :
       {std::pair{"DELTA_BINARY_PACKED", "INT32"}, std::pair{"DELTA_LENGTH_BYTE_ARRAY", "BYTE_ARRAY"},
        std::pair{"DELTA_BYTE_ARRAY", "BYTE_ARRAY"}, std::pair{"ALP", "DOUBLE"}, std::pair{"RLE", "BOOLEAN"},
        std::pair{"RLE_DICTIONARY", "INT32"}}) {
    INFO(encoding);
    CHECK(hex_of(encoding, type, "[]").size() > 2);
    CHECK(hex_of(encoding, type, "[]", {"--empty", "header"}) == hex_of(encoding, type, "[]"));
    CHECK(hex_of(encoding, type, "[]", {"--empty", "none"}) == "\n");
  }
  const std::string alike = R"(["616161","616161","616161"])";
  std::vector<std::string> options{"--prefixes", "longest", "--longest-prefix", "1"};
  CHECK(hex_of("DELTA_BYTE_ARRAY", "BYTE_ARRAY", alike, options) ==
        "8001040300000100000001000000"  // the prefix lengths 0, 1, 1
        "8001040306010100000002000000"  // the suffix lengths 3, 2, 2
        "61616161616161\n");
  options.insert(options.end(), {"--suffix-block-size", "256", "--suffix-miniblocks", "8"});
  CHECK(hex_of("DELTA_BYTE_ARRAY", "BYTE_ARRAY", alike, options) ==
        line("8001040300000100000001000000 800208030601010000000000000002000000 61616161616161"));
  std::string near = "[\"616161616161\"";
  for (int i = 0; i < 99; ++i) near += ",\"616161616161\"";
  near += "]";
  CHECK(hex_of("DELTA_BYTE_ARRAY", "BYTE_ARRAY", near, {"--longest-prefix", "3"}) ==
        hex_of("DELTA_BYTE_ARRAY", "BYTE_ARRAY", near, {"--longest-prefix", "3", "--prefixes", "longest"}));
  CHECK(hex_of("GROUP_VAR_INT", "INT64", "[256]", {"--selector", "le"}) == "0010000100000000\n");
  const std::string two = "[\"nan:0x7fc00001\",1.5,\"nan:0x7fc00002\"]";
  const std::string up = hex_of("ALP", "FLOAT", two, {"--exponents", "1,0", "--vector-size", "8"});
  const std::string down =
      hex_of("ALP", "FLOAT", two, {"--exponents", "1,0", "--vector-size", "8", "--exceptions", "descending"});
  CHECK(up.ends_with(line("00000200 0100c07f 0200c07f")));
  CHECK(down.ends_with(line("02000000 0200c07f 0100c07f")));
}

TEST_CASE("no run is longer than --longest-run") {
  const std::string runs = "[5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,1]";
  CHECK(hex_of("RLE_DICTIONARY", "INT32", runs, {"--runs", "rle", "--longest-run", "8"}) ==
        line("031005 1005 0805 0201"));
  CHECK(hex_of("RLE_DICTIONARY", "INT32", runs, {"--runs", "rle", "--longest-run", "19"}) ==
        line("032605 0205 0201"));
  CHECK(hex_of("RLE_DICTIONARY", "INT32", runs, {"--runs", "packed", "--longest-run", "23"}) ==
        line("03056ddbb66ddbb6 036d1b00"));
  CHECK(hex_of("RLE_DICTIONARY", "INT32", runs, {"--runs", "packed", "--longest-run", "1"}) ==
        line("03036ddbb6 036ddbb6 036d1b00"));
}

TEST_CASE("encode can write unneeded ALP exceptions and choose their placeholders") {
  const std::vector<std::string> usual{"--exponents", "1,0", "--vector-size", "8"};
  const auto section_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> options = usual;
    options.insert(options.end(), more.begin(), more.end());
    return hex_of("ALP", "FLOAT", "[0.1,0.4,0.2,0.5,0.1,0.1,0.1,0.1,0.3,0.3]", options);
  };
  // Of the first vector 0.1 and 0.4 become exceptions, and 2, 5, 1, 1, 1, 1 remain; of the second all.
  const std::string header = "0000030a00000008000000";
  CHECK(section_with({"--needless-exceptions", "2"}) ==
        header + line("20000000 01000200 0100000003 490800 00000100 cdcccc3dcdcccc3e 01000200 0000000000 "
                      "00000100 9a99993e9a99993e"));
  CHECK(section_with({"--needless-exceptions", "1", "--placeholder", "largest"}) ==
        header + line("1a000000 01000100 0100000003 5c0800 0000 cdcccc3d 01000100 0300000000 0000 9a99993e"));
  // 2, 4 and 5 remain.
  const std::string three = hex_of("ALP", "FLOAT", "[0.1,0.4,0.2,0.5]",
                                   {"--exponents", "1,0", "--vector-size", "8", "--needless-exceptions", "1",
                                    "--placeholder", "smallest"});
  CHECK(three == line("0000030400000004000000 01000100 0200000002 c8 0000 cdcccc3d"));
}

TEST_CASE("decode reads what encode writes") {
  const std::vector<std::tuple<std::string, std::string, std::string>> sections{
      {"PLAIN", "BOOLEAN", "[true,false,true]"},
      {"PLAIN", "INT96", "[\"01020304050000000708090a\"]"},
      {"PLAIN", "DOUBLE", "[-0.0,1e300,\"Infinity\"]"},
      {"RLE", "BOOLEAN", "[true,true,false]"},
      {"PLAIN_DICTIONARY", "INT32", "[0,7,3]"},
      {"DELTA_BINARY_PACKED", "INT64", "[9223372036854775807,-9223372036854775808]"},
      {"DELTA_LENGTH_BYTE_ARRAY", "BYTE_ARRAY", "[\"\",\"ff\"]"},
      {"DELTA_BYTE_ARRAY", "BYTE_ARRAY", "[\"ff00\",\"ff01\"]"},
      {"BYTE_STREAM_SPLIT", "INT64", "[1,-1]"},
      {"GROUP_VAR_INT", "INT32", "[1,-1,300,70000,5]"},
      {"ALP", "DOUBLE", "[1.5,2.25,3.14]"}};
  for (const auto& [encoding, type, values] : sections) {
    INFO(encoding << " of " << type);
    const Outcome bytes = encode(section(encoding, type), values);
    REQUIRE(bytes.code == 0);
    const std::size_t count = nlohmann::json::parse(values).size();
    std::vector<std::string> arguments = section(encoding, type, {"--count", std::to_string(count)});
    arguments.insert(arguments.begin(), "decode");
    CHECK(nlohmann::json::parse(parqproof(arguments, bytes.out).out) == nlohmann::json::parse(values));
  }
}

TEST_CASE("spare bits are capped at the width of the type") {
  const std::vector<std::string> most{"--spare-bits", "2147483647"};
  for (const auto& [encoding, type, values] :
       {std::tuple("DELTA_BINARY_PACKED", "INT32", "[1,5,3,100]"), {"ALP", "DOUBLE", "[1.5,2.25]"}}) {
    const Outcome bytes = encode(section(encoding, type, most), values);
    std::vector<std::string> arguments =
        section(encoding, type, {"--count", std::to_string(nlohmann::json::parse(values).size())});
    arguments.insert(arguments.begin(), "decode");
    CHECK(parqproof(arguments, bytes.out).out == std::string(values) + "\n");
  }
}

TEST_CASE("encode rejects values that cannot be encoded, and options that the encoding does not use") {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& values,
                          const std::string& why) { check_rejected(encode(arguments, values), why); };
  refused(section("PLAIN", "INT32"), "[2147483648]", "value 0 does not fit the type");
  refused(section("PLAIN", "INT32"), "[1", "the input is not JSON");
  refused(section("PLAIN", "INT32"), "{}", "the values are not an array");
  refused(section("RLE", "LEVEL", {"--bit-width", "3"}), "[8]", "the bit width does not fit the levels");
  refused(section("RLE_DICTIONARY", "INT32", {"--bit-width", "3"}), "[8]", "the bit width does not fit");
  refused(section("ALP", "INT32"), "[]", "the encoding does not know this type");
  refused(section("DELTA_BINARY_PACKED", "INT32", {"--block-size", "100"}), "[]", "not a multiple of 128");
  refused(section("DELTA_BINARY_PACKED", "INT32", {"--block-size", "4294967296"}), "[]",
          "2147483647 at most");
  refused(section("DELTA_BINARY_PACKED", "INT32", {"--block-size", "2147483520"}), "[]", "128 to 1048576");
  refused(section("DELTA_BINARY_PACKED", "INT32", {"--miniblocks", "2147483647"}), "[]",
          "1 to 32768 miniblocks");
  refused(section("DELTA_BINARY_PACKED", "INT32", {"--miniblocks", "32767"}), "[]",
          "more than 1048576 values");
  refused(section("ALP", "FLOAT", {"--vector-size", "1000"}), "[]", "--vector-size: a power of two");
  refused(section("ALP", "FLOAT", {"--exponents", "3"}), "[]", "--exponents: two numbers");
  refused(section("RLE", "BOOLEAN", {"--padding", "256"}), "[]", "--padding: a byte is 0 to 255");
  refused(section("RLE", "LEVEL", {"--bit-width", "1", "--varint-bytes", "11"}), "[]", "1 to 10 bytes");
  refused(section("DELTA_BYTE_ARRAY", "BYTE_ARRAY", {"--prefixes", "none", "--longest-prefix", "2"}), "[]",
          "--longest-prefix: with --prefixes none");
  using Option = std::vector<std::string>;
  refused(section("RLE", "LEVEL", {"--bit-width", "1", "--longest-run", "0"}), "[]",
          "1 to 2147483647 values");
  for (const Option& option : {Option{"--runs", "rle"},
                               {"--longest-run", "8"},
                               {"--suffix-block-size", "128"},
                               {"--suffix-miniblocks", "4"},
                               {"--longest-prefix", "1"},
                               {"--needless-exceptions", "1"},
                               {"--placeholder", "first"},
                               {"--varint-bytes", "2"},
                               {"--block-size", "128"},
                               {"--miniblocks", "4"},
                               {"--prefixes", "none"},
                               {"--spare-bits", "1"},
                               {"--reference-slack", "1"},
                               {"--padding", "1"},
                               {"--vector-size", "8"},
                               {"--exponents", "1,0"},
                               {"--exceptions", "ascending"}}) {
    refused(section("PLAIN", "INT32", option), "[]", option.front() + ": PLAIN of INT32 has no use for it");
  }
}

}  // namespace support
