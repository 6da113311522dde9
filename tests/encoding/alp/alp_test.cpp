#include "codec/encoding/alp/alp.hpp"

#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <cmath>
#include <string>

#include "codec/encoding/alp/alp_numbers.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

Decoded decode_alp(const Bytes& section, Type type, std::uint64_t count) {
  return decode(section, spec_of(Encoding::ALP, type, count));
}

// AlpEncoding.md#worked-example-exceptions-and-non-zero-factor: 1500.0, NaN, 2500.0, 333.5
const Bytes kWorked =
    hex("00000a 04000000 04000000 0403 0100 070d000000000000 0f 91adc85628150000 0100 000000000000f87f");
// 0.5 nine times, in vectors of 8
const Bytes kConstant =
    hex("000003 09000000 08000000 15000000 01000000 0500000000000000 00 01000000 0500000000000000 00");

constexpr double kNan = std::bit_cast<double>(std::uint64_t{0x7FF8000000000000});

}  // namespace

TEST_CASE("an ALP vector holds the worked example of the specification") {
  const Decoded decoded = decode_alp(kWorked, Type::DOUBLE, 4);
  const auto values = decoded.numbers<double>();
  REQUIRE(values.size() == 4);
  CHECK(values[0] == 1500.0);
  CHECK(std::isnan(values[1]));
  CHECK(values[2] == 2500.0);
  CHECK(values[3] == 333.5);
  CHECK(decoded.clean());
}

TEST_CASE("the encoder of ALP writes the worked example of the specification") {
  EncodeOptions options{.exponents = EncodeOptions::Exponents{.exponent = 4, .factor = 3}};
  const std::vector<double> values{1500.0, kNan, 2500.0, 333.5};
  CHECK(encode(Encoding::ALP, plain_numbers(Type::DOUBLE, values), options) == kWorked);
  options.exponents = EncodeOptions::Exponents{.exponent = 1, .factor = 0};
  options.log_vector_size = 3;
  const std::vector<double> halves(9, 0.5);
  CHECK(encode(Encoding::ALP, plain_numbers(Type::DOUBLE, halves), options) == kConstant);
}

TEST_CASE("ALP vectors of one value need no packed bytes") {
  const Decoded decoded = decode_alp(kConstant, Type::DOUBLE, 9);
  CHECK(decoded.numbers<double>() == std::vector<double>(9, 0.5));
  CHECK_FALSE(decoded.error);
  CHECK_NOTE(decoded, Rule::alp_vector_size, 2);
}

TEST_CASE("an ALP header is checked byte by byte",
          "[alp/header][alp/compression-mode][alp/integer-encoding][alp/log-vector-size][alp/num-elements]") {
  CHECK_ERROR(decode_alp(cut(kWorked, 6), Type::DOUBLE, 4).error, Rule::alp_header, 0);
  CHECK_ERROR(decode_alp(with(kWorked, 0, 1), Type::DOUBLE, 4).error, Rule::alp_compression_mode, 0);
  CHECK_ERROR(decode_alp(with(kWorked, 1, 1), Type::DOUBLE, 4).error, Rule::alp_integer_encoding, 1);
  CHECK_ERROR(decode_alp(with(kWorked, 2, 2), Type::DOUBLE, 4).error, Rule::alp_log_vector_size, 2);
  CHECK_ERROR(decode_alp(with(kWorked, 2, 16), Type::DOUBLE, 4).error, Rule::alp_log_vector_size, 2);
  CHECK_FALSE(decode_alp(with(kWorked, 2, 15), Type::DOUBLE, 4).error);
  CHECK_ERROR(decode_alp(kWorked, Type::DOUBLE, 5).error, Rule::alp_num_elements, 3);
  CHECK_ERROR(decode_alp(with(kWorked, 6, 0x80), Type::DOUBLE, 4).error, Rule::alp_num_elements, 3);
}

TEST_CASE("ALP offsets cover the section without gaps or overlaps",
          "[alp/offset-array][alp/first-offset][alp/offsets-contiguous]") {
  CHECK_ERROR(decode_alp(cut(kConstant, 14), Type::DOUBLE, 9).error, Rule::alp_offset_array, 7);
  CHECK_ERROR(decode_alp(with(kConstant, 7, 9), Type::DOUBLE, 9).error, Rule::alp_first_offset, 7);
  CHECK_ERROR(decode_alp(with(kConstant, 11, 0x16), Type::DOUBLE, 9).error, Rule::alp_offsets_contiguous, 11);
}

TEST_CASE(
    "the fields of an ALP vector are checked at their offsets",
    "[alp/vector-header][alp/exponent][alp/factor][alp/num-exceptions][alp/bit-width][alp/packed-length]"
    "[alp/exceptions-complete]") {
  CHECK_ERROR(decode_alp(cut(kWorked, 23), Type::DOUBLE, 4).error, Rule::alp_vector_header, 11);
  CHECK_ERROR(decode_alp(with(kWorked, 11, 19), Type::DOUBLE, 4).error, Rule::alp_exponent, 11);
  CHECK_ERROR(decode_alp(with(kWorked, 12, 5), Type::DOUBLE, 4).error, Rule::alp_factor, 12);
  CHECK_ERROR(decode_alp(with(kWorked, 13, 5), Type::DOUBLE, 4).error, Rule::alp_num_exceptions, 13);
  CHECK_ERROR(decode_alp(with(kWorked, 23, 65), Type::DOUBLE, 4).error, Rule::alp_bit_width, 23);
  CHECK_ERROR(decode_alp(cut(kWorked, 31), Type::DOUBLE, 4).error, Rule::alp_packed_length, 24);
  CHECK_ERROR(decode_alp(cut(kWorked, 41), Type::DOUBLE, 4).error, Rule::alp_exceptions_complete, 32);
}

TEST_CASE("exceptions of ALP are inside their vector, and those that break a rule are noted",
          "[alp/exception-position][alp/exception-duplicate][alp/exception-order][alp/exception-needless]") {
  CHECK_ERROR(decode_alp(with(kWorked, 32, 4), Type::DOUBLE, 4).error, Rule::alp_exception_position, 32);
  const Bytes two =
      hex("00000a 04000000 04000000 0403 0200 070d000000000000 0f 91adc85628150000 0200 0100"
          "000000000000f87f 000000000000f07f");
  const Decoded unordered = decode_alp(two, Type::DOUBLE, 4);
  CHECK(std::isnan(unordered.numbers<double>()[2]));
  CHECK(std::isinf(unordered.numbers<double>()[1]));
  CHECK_NOTE(unordered, Rule::alp_exception_order, 34);
  const Decoded twice = decode_alp(with(two, 34, 2), Type::DOUBLE, 4);
  CHECK(std::isinf(twice.numbers<double>()[2]));
  CHECK_NOTE(twice, Rule::alp_exception_duplicate, 34);
  // 2.0 needs no exception.
  const Decoded needless = decode_alp(with(with(kWorked, 40, 0), 41, 0x40), Type::DOUBLE, 4);
  CHECK(needless.numbers<double>()[1] == 2.0);
  CHECK_NOTE(needless, Rule::alp_exception_needless, 34);
}

TEST_CASE("an ALP vector with wider fields than needed is noted",
          "[alp/packed-padding][alp/frame-of-reference][alp/bit-width-minimal]") {
  CHECK_NOTE(decode_alp(with(kWorked, 31, 0x10), Type::DOUBLE, 4), Rule::alp_packed_padding, 31);
  // 5 and 6 above a reference of 0, in four bits
  const Bytes wide = hex("00000a 02000000 04000000 0000 0000 0000000000000000 04 65");
  const Decoded decoded = decode_alp(wide, Type::DOUBLE, 2);
  CHECK(decoded.numbers<double>() == std::vector<double>{5.0, 6.0});
  CHECK_NOTE(decoded, Rule::alp_frame_of_reference, 15);
  CHECK_NOTE(decoded, Rule::alp_bit_width_minimal, 23);
}

TEST_CASE("bytes after the last ALP vector are an error at the first of them", "[page/trailing-bytes]") {
  Bytes longer = kWorked;
  longer.push_back(0);
  CHECK_ERROR(decode_alp(longer, Type::DOUBLE, 4).error, Rule::page_trailing_bytes, 42);
}

TEST_CASE("the reference and the deltas of ALP wrap around") {
  // INT64_MIN + 2^64-1 is INT64_MAX; the other delta is 0.
  const Bytes section =
      hex("00000a 02000000 04000000 0000 0000 0000000000000080 40 0000000000000000 ffffffffffffffff");
  CHECK(decode_alp(section, Type::DOUBLE, 2).numbers<double>() ==
        std::vector<double>{-9223372036854775808.0, 9223372036854775807.0});
}

TEST_CASE("ALP of FLOAT computes in binary32") {
  const std::vector<float> values{1.25F, -0.07F, 123.45F, 0.0F};
  const Bytes section = encode(Encoding::ALP, plain_numbers(Type::FLOAT, values),
                               {.exponents = EncodeOptions::Exponents{.exponent = 2, .factor = 0}});
  CHECK(decode_alp(section, Type::FLOAT, 4).numbers<float>() == values);
  CHECK_ERROR(decode_alp(with(section, 11, 11), Type::FLOAT, 4).error, Rule::alp_exponent, 11);
}

TEST_CASE("ALP preserves special numbers bit for bit") {
  const std::vector<std::uint64_t> bits{0x8000000000000000, 0x7FF0000000000000, 0xFFF0000000000000,
                                        0x7FF0000000000001, 0xFFF8DEADBEEF0000, 0x0000000000000001,
                                        0x7FEFFFFFFFFFFFFF, 0x3FF0000000000000, 0};
  const Bytes section = encode(Encoding::ALP, plain_numbers(Type::DOUBLE, bits));
  CHECK(decode_alp(section, Type::DOUBLE, bits.size()).numbers<std::uint64_t>() == bits);
  const std::vector<std::uint32_t> bits32{0x80000000, 0x7F800000, 0x7F800001, 0xFFC0BEEF,
                                          0x00000001, 0x7F7FFFFF, 0};
  const Bytes section32 = encode(Encoding::ALP, plain_numbers(Type::FLOAT, bits32));
  CHECK(decode_alp(section32, Type::FLOAT, bits32.size()).numbers<std::uint32_t>() == bits32);
}

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
  for (unsigned power = 0; power <= alp::Powers<TestType>::kMaxExponent; ++power) {
    CHECK(alp::Powers<TestType>::kUp[power] == number_next_to<TestType>("1e" + std::to_string(power)));
    CHECK(alp::Powers<TestType>::kDown[power] == number_next_to<TestType>("1e-" + std::to_string(power)));
  }
}

}  // namespace parqproof
