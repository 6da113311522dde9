#include "codec/encoding/plain.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

ValueSpec plain(Type type, std::uint64_t count, std::uint32_t type_length = 0) {
  return {.type = type, .type_length = type_length, .count = count};
}

ValueSpec dictionary_page(ValueSpec spec) {
  spec.dictionary_page = true;
  return spec;
}

}  // namespace

TEST_CASE("PLAIN numbers are little-endian") {  // Encodings.md#PLAIN
  CHECK(decode(hex("01000000 ffffffff ffffff7f 00000080"), plain(Type::INT32, 4)).numbers<std::int32_t>() ==
        std::vector<std::int32_t>{1, -1, INT32_MAX, INT32_MIN});
  CHECK(decode(hex("0100000000000000 ffffffffffffffff"), plain(Type::INT64, 2)).numbers<std::int64_t>() ==
        std::vector<std::int64_t>{1, -1});
  CHECK(decode(hex("000000000000f03f 00000000000004c0"), plain(Type::DOUBLE, 2)).numbers<double>() ==
        std::vector<double>{1.0, -2.5});
  CHECK(decode(hex("0000803f 000020c0"), plain(Type::FLOAT, 2)).numbers<float>() ==
        std::vector<float>{1.0F, -2.5F});
}

TEST_CASE("fixed-width PLAIN batches are windows into the section") {
  const Bytes section(5000 * 8);
  OwnDecoder own;
  REQUIRE(own.open({section, kBase, Space::page}, plain(Type::INT64, 5000)));
  const auto first = own.decoder.next().value();
  CHECK(first.fixed == section.data());
  CHECK(first.offset == kBase);
  const auto second = own.decoder.next().value();
  CHECK(second.fixed == section.data() + first.count * 8);
  CHECK(second.offset == kBase + first.count * 8);
  CHECK(first.count + second.count == 5000);
}

TEST_CASE("PLAIN byte arrays are preceded by their length") {
  const Decoded decoded = decode(hex("05000000 48656c6c6f 00000000 01000000 41"), plain(Type::BYTE_ARRAY, 3));
  CHECK(decoded.byte_arrays == std::vector<std::string>{"Hello", "", "A"});
  CHECK(decoded.clean());
  CHECK(decode(hex("616263 646566"), plain(Type::FIXED_LEN_BYTE_ARRAY, 2, 3)).fixed == hex("616263646566"));
}

TEST_CASE("PLAIN booleans take a bit each, the lowest first") {
  const Decoded decoded = decode(hex("8d01"), plain(Type::BOOLEAN, 10));
  CHECK(decoded.booleans == std::vector<std::uint8_t>{1, 0, 1, 1, 0, 0, 0, 1, 1, 0});
  CHECK(decoded.clean());
  CHECK(decode(Bytes(1025, 0xFF), plain(Type::BOOLEAN, 8200)).booleans == std::vector<std::uint8_t>(8200, 1));
}

TEST_CASE("a PLAIN section of fixed width has exactly the bytes of its values",
          "[plain/fixed-width-length][page/trailing-bytes]") {
  for (const auto& [type, type_length] : {std::pair{Type::INT32, 0U},
                                          {Type::INT64, 0U},
                                          {Type::INT96, 0U},
                                          {Type::FLOAT, 0U},
                                          {Type::DOUBLE, 0U},
                                          {Type::FIXED_LEN_BYTE_ARRAY, 5U}}) {
    const std::uint32_t width = fixed_width(type, type_length);
    CHECK(decode(Bytes(3 * width), plain(type, 3, type_length)).count == 3);
    const Decoded surplus = decode(Bytes(3 * width + 1), plain(type, 3, type_length));
    CHECK(surplus.count == 3);
    CHECK_ERROR(surplus.error, Rule::page_trailing_bytes, 3 * width);
    for (const std::size_t size : {std::size_t{0}, std::size_t{3 * width - 1}}) {
      const Decoded decoded = decode(Bytes(size), plain(type, 3, type_length));
      CHECK_ERROR(decoded.error, Rule::plain_fixed_width_length, 0);
      CHECK(decoded.error->length == size);
      CHECK(decoded.error->found == static_cast<std::int64_t>(size));
      CHECK(decoded.error->expected == 3 * width);
    }
  }
}

TEST_CASE("a product of count and width that overflows 64 bits is reported, not wrapped",
          "[plain/fixed-width-length]") {
  const ValueSpec spec = plain(Type::FIXED_LEN_BYTE_ARRAY, std::uint64_t{1} << 33, std::uint32_t{1} << 31);
  CHECK_ERROR(decode(Bytes(8), spec).error, Rule::plain_fixed_width_length, 0);
}

TEST_CASE("PLAIN booleans take the bytes of their bits and no more",
          "[plain/boolean-length][page/trailing-bytes]") {
  CHECK_ERROR(decode(Bytes(3), plain(Type::BOOLEAN, 9)).error, Rule::page_trailing_bytes, 2);
  for (const std::size_t size : {0UL, 1UL}) {
    CHECK_ERROR(decode(Bytes(size), plain(Type::BOOLEAN, 9)).error, Rule::plain_boolean_length, 0, size, 2);
  }
}

TEST_CASE("padding bits of PLAIN booleans that are not zero are noted at the last byte",
          "[plain/boolean-padding]") {
  const Decoded decoded = decode(hex("ff03"), plain(Type::BOOLEAN, 9));
  CHECK(decoded.booleans.size() == 9);
  CHECK_NOTE(decoded, Rule::plain_boolean_padding, 1);
  CHECK(decode(hex("ff01"), plain(Type::BOOLEAN, 9)).clean());
}

TEST_CASE("a byte array that runs past the section is an error at its length prefix",
          "[plain/byte-array-length]") {
  const Decoded beyond = decode(hex("01000000 41 03000000 4142"), plain(Type::BYTE_ARRAY, 2));
  CHECK_ERROR(beyond.error, Rule::plain_byte_array_length, 5, 3, 2);
  CHECK(beyond.error->length == 4);
  CHECK_ERROR(decode(hex("ffffffff"), plain(Type::BYTE_ARRAY, 1)).error, Rule::plain_byte_array_length, 0);
}

TEST_CASE("a section that ends before its last byte array is an error at the end of the section",
          "[plain/byte-array-length]") {
  CHECK_ERROR(decode(hex("01000000 41"), plain(Type::BYTE_ARRAY, 2)).error, Rule::plain_byte_array_length, 5);
  const Decoded cut = decode(hex("01000000 41 0000"), plain(Type::BYTE_ARRAY, 2));
  CHECK_ERROR(cut.error, Rule::plain_byte_array_length, 5);
  CHECK(cut.error->length == 2);
}

TEST_CASE("bytes after the last PLAIN byte array are an error at the first of them",
          "[page/trailing-bytes]") {
  const Decoded decoded = decode(hex("01000000 41 0000"), plain(Type::BYTE_ARRAY, 1));
  CHECK(decoded.byte_arrays.size() == 1);
  CHECK_ERROR(decoded.error, Rule::page_trailing_bytes, 5);
  CHECK(decoded.error->length == 2);
}

TEST_CASE("a dictionary page whose size does not match its entries is one error, for every type",
          "[dictionary/entry-count]") {
  const auto check = [](const Bytes& bytes, const ValueSpec& spec, std::int64_t held) {
    CHECK_ERROR(decode(bytes, dictionary_page(spec)).error, Rule::dictionary_entry_count, 0, spec.count,
                held);
  };
  check(Bytes(12), plain(Type::INT32, 2), 3);
  check(Bytes(8), plain(Type::INT64, 2), 1);
  check(Bytes(2), plain(Type::BOOLEAN, 8), 16);
  check(hex("01000000 41"), plain(Type::BYTE_ARRAY, 2), 1);
  check(hex("01000000 41 01000000 42 00000000"), plain(Type::BYTE_ARRAY, 1), 3);
  CHECK_ERROR(decode(hex("02000000 41"), dictionary_page(plain(Type::BYTE_ARRAY, 1))).error,
              Rule::plain_byte_array_length, 0);
}

TEST_CASE("INT96 nanoseconds outside a day are noted at the value", "[plain/int96-nanos]") {
  CHECK(decode(hex("0100000000000000 8d3d2500"), plain(Type::INT96, 1)).clean());
  CHECK(decode(hex("ffff4e91944e0000 8d3d2500"), plain(Type::INT96, 1))
            .clean());  // a nanosecond before midnight
  const Decoded late =
      decode(hex("0100000000000000 8d3d2500 00004f91944e0000 8d3d2500"), plain(Type::INT96, 2));
  CHECK_NOTE(late, Rule::plain_int96_nanos, 12, kNanosPerDay, kNanosPerDay);
  CHECK(late.note(Rule::plain_int96_nanos)->length == 12);
  CHECK_NOTE(decode(hex("ffffffffffffffff 8d3d2500"), plain(Type::INT96, 1)), Rule::plain_int96_nanos, 0);
}

TEST_CASE("INT96 timestamps with the Julian day first are noted at the value", "[plain/int96-halves]") {
  const Decoded swapped =
      decode(hex("0100000000000000 8d3d2500 8d3d2500 0100000000000000"), plain(Type::INT96, 2));
  CHECK_NOTE(swapped, Rule::plain_int96_halves, 12, 0x253d8d, 0);
  CHECK_FALSE(swapped.note(Rule::plain_int96_nanos));
  // Midnight: both readings have valid nanoseconds, and only one a day of our era.
  CHECK_NOTE(decode(hex("8d3d2500 0000000000000000"), plain(Type::INT96, 1)), Rule::plain_int96_halves, 0);
  CHECK(decode(hex("000000000000000000000000"), plain(Type::INT96, 1)).clean());
  // Days from 0001-01-01 to 9999-12-31.
  CHECK(decode(hex("51441a00 0000000000000000"), plain(Type::INT96, 1)).clean());
  CHECK_NOTE(decode(hex("52441a00 0000000000000000"), plain(Type::INT96, 1)), Rule::plain_int96_halves, 0);
}

TEST_CASE("empty runs in an empty section give no values", "[rle/run-length]") {
  struct Case {
    Encoding encoding;
    const char* section;
    std::uint64_t times;
  };
  for (const Case& c :
       {Case{Encoding::PLAIN_DICTIONARY, "0000", 1}, Case{Encoding::RLE_DICTIONARY, "0200ff01", 2},
        Case{Encoding::RLE, "020000000000", 1}, Case{Encoding::RLE, "0100000001", 1}}) {
    INFO(c.section);
    const Bytes section = hex(c.section);
    Notes notes;
    CHECK(check_empty_section({section, kBase, Space::page}, c.encoding, Type::BOOLEAN, notes).has_value());
    REQUIRE(notes.all().size() == 1);
    CHECK(notes.all()[0].error.rule == Rule::rle_run_length);
    CHECK(notes.all()[0].times == c.times);
  }
}

TEST_CASE("a section without values is empty, or has the empty form of its encoding",
          "[page/zero-values-section]") {
  struct Case {
    Encoding encoding;
    Type type;
    const char* section;
    bool allowed;
  };
  for (const Case& c : {
           Case{Encoding::PLAIN, Type::INT32, "", true},
           Case{Encoding::PLAIN, Type::INT32, "00", false},
           Case{Encoding::RLE_DICTIONARY, Type::BYTE_ARRAY, "", true},
           Case{Encoding::RLE_DICTIONARY, Type::BYTE_ARRAY, "20", true},
           Case{Encoding::RLE_DICTIONARY, Type::BYTE_ARRAY, "21", false},
           Case{Encoding::PLAIN_DICTIONARY, Type::INT32, "00", true},
           Case{Encoding::PLAIN_DICTIONARY, Type::INT32, "0002", false},
           Case{Encoding::RLE, Type::BOOLEAN, "00000000", true},
           Case{Encoding::RLE, Type::BOOLEAN, "01000000", false},
           Case{Encoding::RLE, Type::BOOLEAN, "000000", false},
           Case{Encoding::DELTA_BINARY_PACKED, Type::INT32, "8001040000", true},
           Case{Encoding::DELTA_BINARY_PACKED, Type::INT32, "8001040100", false},
           Case{Encoding::DELTA_BINARY_PACKED, Type::INT32, "800104000000", false},
           Case{Encoding::DELTA_BINARY_PACKED, Type::INT64, "0801000000", false},
           Case{Encoding::DELTA_BINARY_PACKED, Type::INT64, "08010000", false},
           Case{Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, "8001040000", true},
           Case{Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, "8001040000", false},
           Case{Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, "8001040000 8001040000", true},
           Case{Encoding::BYTE_STREAM_SPLIT, Type::FLOAT, "00", false},
           Case{Encoding::ALP, Type::DOUBLE, "00000a00000000", true},
           Case{Encoding::ALP, Type::DOUBLE, "00000a01000000", false},
       }) {
    INFO(static_cast<int>(c.encoding) << " " << c.section);
    const Bytes section = hex(c.section);
    Notes notes;
    const Status status = check_empty_section({section, kBase, Space::page}, c.encoding, c.type, notes);
    CHECK(notes.all().empty());
    CHECK(status.has_value() == c.allowed);
    if (!c.allowed) {
      const std::optional<Error> error = status.error();
      CHECK_ERROR(error, Rule::page_zero_values_section, 0);
      CHECK(error->length == section.size());
    }
  }
}

}  // namespace parqproof
