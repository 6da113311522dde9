#include "codec/encoding/table.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "codec/base/bits.hpp"
#include "tests/encoding/decode.hpp"
#include "tests/rapidcheck.hpp"

namespace parqproof {
namespace {

constexpr Type kTypes[] = {Type::BOOLEAN, Type::INT32,  Type::INT64,      Type::INT96,
                           Type::FLOAT,   Type::DOUBLE, Type::BYTE_ARRAY, Type::FIXED_LEN_BYTE_ARRAY};

bool is_dictionary(Encoding encoding) {
  return encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
}

std::string name_of(const EncodingInfo& row, Type type) {
  return std::string(row.name()) + " of " + std::string(kTypeEnum.name_of(static_cast<int>(type)));
}

/// Values of any type, drawn so that neighbours are often equal.
struct Drawn {
  Bytes fixed;
  std::vector<std::string> strings;
  std::vector<std::uint8_t> booleans;
  std::vector<std::uint32_t> indices;
  std::vector<ByteArray> windows;
  PlainValues values;

  Drawn(Encoding encoding, Type type) {
    values.type = type;
    values.type_length = type == Type::FIXED_LEN_BYTE_ARRAY ? *rc::gen::inRange(1U, 20U) : 0;
    const auto count = *rc::gen::inRange<std::size_t>(1, 700);
    values.count = count;
    std::uint64_t state = *rc::gen::arbitrary<std::uint64_t>();
    const auto keep = *rc::gen::inRange(0U, 8U);  // bits of a value that change
    const auto draw = [&] { return state = (state ^ state >> 29) * 0xBF58476D1CE4E5B9 + 1; };
    if (is_dictionary(encoding)) {
      for (std::size_t i = 0; i < count; ++i)
        indices.push_back(static_cast<std::uint32_t>(draw() % (1U << keep)));
      values.indices = indices;
    } else if (type == Type::BOOLEAN) {
      for (std::size_t i = 0; i < count; ++i) booleans.push_back(draw() % 8 < keep ? 1 : 0);
      values.booleans = booleans;
    } else if (type == Type::BYTE_ARRAY) {
      std::string string;
      for (std::size_t i = 0; i < count; ++i) {
        string.resize(draw() % (string.size() + 1));
        string.append(draw() % 9, static_cast<char>(draw() % (1U + keep)));
        strings.push_back(string);
      }
      windows = windows_of(strings);
      values.byte_arrays = windows;
    } else {
      const std::uint32_t width = fixed_width(type, values.type_length);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::uint32_t k = 0; k < width; ++k) {
          fixed.push_back(static_cast<std::uint8_t>(k < keep              ? draw()
                                                    : type == Type::INT96 ? 0
                                                                          : state >> 63));
        }
      }
      values.fixed = fixed;
    }
  }
};

EncodeOptions drawn_options() {
  EncodeOptions options;
  options.runs = *rc::gen::element(EncodeOptions::Runs::automatic, EncodeOptions::Runs::repeated,
                                   EncodeOptions::Runs::packed);
  options.block_size = *rc::gen::element(128U, 256U, 384U, 1024U);
  options.miniblocks = *rc::gen::element(1U, 2U, 4U);
  options.padding = *rc::gen::arbitrary<std::uint8_t>();
  options.log_vector_size = *rc::gen::inRange(3U, 12U);
  options.selector_little_endian = *rc::gen::arbitrary<bool>();
  options.longest_run = *rc::gen::element<std::uint32_t>(INT32_MAX, 1, 8, 12, 504);
  options.longest_prefix = *rc::gen::element<std::uint32_t>(INT32_MAX, 0, 1, 3);
  if (*rc::gen::arbitrary<bool>()) options.suffix_block_size = 512;
  options.exceptions_descending = *rc::gen::arbitrary<bool>();
  options.needless_exceptions = *rc::gen::element<std::uint32_t>(0, 1, 3, 2000);
  options.placeholder =
      *rc::gen::element(EncodeOptions::Placeholder::first, EncodeOptions::Placeholder::smallest,
                        EncodeOptions::Placeholder::largest);
  return options;
}

ValueSpec spec_of(Encoding encoding, const PlainValues& values) {
  return {.encoding = encoding,
          .type = values.type,
          .type_length = values.type_length,
          .count = values.count,
          .dictionary_size = 256};
}

}  // namespace

TEST_CASE("the table has a row for every encoding of the format, by number and by name") {
  REQUIRE(all_encodings().size() == kEncodingEnum.values.size());
  for (std::size_t i = 0; i < all_encodings().size(); ++i) {
    const EncodingInfo& row = all_encodings()[i];
    CHECK(static_cast<std::int32_t>(row.encoding) == kEncodingEnum.values[i].value);
    CHECK(find_encoding(row.encoding) == &row);
    CHECK(find_encoding(row.name()) == &row);
    CHECK_FALSE(to_string(row.status).empty());
  }
  CHECK(find_encoding(static_cast<Encoding>(11)) == nullptr);
  CHECK(find_encoding("DELTA") == nullptr);
}

TEST_CASE("an encoding of the table decodes and encodes the same types, and serves values or levels") {
  for (const EncodingInfo& row : all_encodings()) {
    bool any = row.levels.exists();
    for (const Type type : kTypes) {
      CHECK(can_decode(row.encoding, type) == row.codec(type).exists());
      any = any || row.codec(type).exists();
    }
    CHECK(any);
    CHECK_FALSE(row.codec(static_cast<Type>(8)).exists());
  }
  CHECK_FALSE(can_decode(static_cast<Encoding>(99), Type::INT32));
  CHECK_FALSE(can_decode(Encoding::PLAIN, static_cast<Type>(99)));
}

TEST_CASE("every encoder of the table round-trips through its decoder, whatever the options") {
  for_each_codec([](const EncodingInfo& row, Type type) {
    check_property(name_of(row, type), [&] {
      const Drawn drawn(row.encoding, type);
      const EncodeOptions options = drawn_options();
      Bytes section;
      RC_ASSERT(try_encode(row.encoding, drawn.values, options, section).has_value());
      ValueSpec spec = spec_of(row.encoding, drawn.values);
      spec.selector_little_endian = options.selector_little_endian;
      const Decoded decoded = decode(section, spec);
      RC_ASSERT(!decoded.error);
      RC_ASSERT(decoded.count == drawn.values.count);
      RC_ASSERT(decoded.fixed == drawn.fixed);
      RC_ASSERT(decoded.byte_arrays == drawn.strings);
      RC_ASSERT(decoded.booleans == drawn.booleans);
      RC_ASSERT(decoded.indices == drawn.indices);
    });
  });
}

TEST_CASE("every decoder of the table returns values or an error for any bytes, never too many values") {
  for_each_codec([](const EncodingInfo& row, Type type) {
    check_property(name_of(row, type) + ", changed bytes", [&] {
      const Drawn drawn(row.encoding, type);
      Bytes section;
      RC_ASSERT(try_encode(row.encoding, drawn.values, drawn_options(), section).has_value());
      const auto changes = *rc::gen::inRange(1, 6);
      for (int i = 0; i < changes && !section.empty(); ++i) {
        // The first bytes, with headers and counts, are changed more often.
        const auto reach = *rc::gen::element(section.size(), std::min<std::size_t>(section.size(), 12));
        section[*rc::gen::inRange<std::size_t>(0, reach)] = *rc::gen::arbitrary<std::uint8_t>();
      }
      section.resize(
          *rc::gen::element(section.size(), *rc::gen::inRange<std::size_t>(0, section.size() + 3)));
      const Decoded decoded = decode(section, spec_of(row.encoding, drawn.values), 1000);
      RC_ASSERT(decoded.count <= drawn.values.count);
      if (!decoded.error) {
        RC_ASSERT(decoded.count == drawn.values.count);
      } else if (decoded.error->rule != Rule::limit_work) {
        RC_ASSERT(decoded.error->offset >= kBase);
        RC_ASSERT(decoded.error->offset + decoded.error->length <= kBase + section.size());
      }
    });
  });
}

TEST_CASE("a decoder object serves one encoding after the other") {
  OwnDecoder own;
  ValueDecoder& decoder = own.decoder;
  CHECK(decoder.next().value().count == 0);
  for_each_codec([&](const EncodingInfo& row, Type type) {
    PlainValues values{.type = type, .type_length = type == Type::FIXED_LEN_BYTE_ARRAY ? 3U : 0U, .count = 2};
    const Bytes fixed(2 * fixed_width(type, values.type_length), 0);
    const std::vector<ByteArray> strings(2);
    const std::vector<std::uint8_t> booleans(2, 1);
    const std::vector<std::uint32_t> indices(2, 0);
    values.fixed = fixed;
    if (type == Type::BYTE_ARRAY) values.byte_arrays = strings;
    values.booleans = booleans;
    values.indices = indices;
    const Bytes section = encode(row.encoding, values);
    REQUIRE(own.open({section, kBase, Space::page}, spec_of(row.encoding, values)));
    CHECK(decoder.next().value().count == 2);
    CHECK(decoder.next()->count == 0);
    CHECK(decoder.end());
  });
}

TEST_CASE("options that no encoding allows are rejected with a message") {
  const std::vector<std::uint32_t> numbers{1, 2, 3};
  const auto refused = [&](Encoding encoding, Type type, const EncodeOptions& options) {
    PlainValues values = plain_numbers(type, numbers);
    values.count = type == Type::DOUBLE ? 1 : 3;
    values.indices = numbers;
    Bytes out;
    const EncodeStatus status = try_encode(encoding, values, options, out);
    return !status && !status.error().empty();
  };
  EncodeOptions options{.block_size = 100};
  CHECK(refused(Encoding::DELTA_BINARY_PACKED, Type::INT32, options));
  options = {};
  options.block_size = 128;
  options.miniblocks = 8;
  CHECK(refused(Encoding::DELTA_BINARY_PACKED, Type::INT32, options));
  options = {};
  options.miniblocks = 0;
  CHECK(refused(Encoding::DELTA_BINARY_PACKED, Type::INT32, options));
  options = {};
  options.varint_bytes = 0;
  CHECK(refused(Encoding::PLAIN, Type::INT32, options));
  options.varint_bytes = 11;
  CHECK(refused(Encoding::RLE_DICTIONARY, Type::INT32, options));
  options = {};
  for (const std::uint32_t longest : {0U, 1U << 31}) {
    options.longest_run = longest;
    CHECK(refused(Encoding::RLE_DICTIONARY, Type::INT32, options));
  }
  options = {};
  options.bit_width = 1;
  CHECK(refused(Encoding::RLE_DICTIONARY, Type::INT32, options));
  options.bit_width = 33;
  CHECK(refused(Encoding::RLE_DICTIONARY, Type::INT32, options));
  options = {};
  options.log_vector_size = 16;
  CHECK(refused(Encoding::ALP, Type::DOUBLE, options));
  options = {};
  options.exponents = EncodeOptions::Exponents{.exponent = 19, .factor = 0};
  CHECK(refused(Encoding::ALP, Type::DOUBLE, options));
}

}  // namespace parqproof
