// The properties of the fuzz targets, for inputs drawn near the likely faults of encoders and decoders.
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <set>
#include <sstream>

#include "codec/base/text.hpp"
#include "codec/compression/table.hpp"
#include "codec/encoding/table.hpp"
#include "fuzz/drawn_file.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"
#include "tests/rapidcheck.hpp"
#include "tests/support/bytes.hpp"
#include "tests/witnesses/witness.hpp"

namespace parqproof::fuzz {
namespace {

using support::Bytes, support::cut, support::operator+;

constexpr std::size_t kMostValues = 9000;  // more than two batches
// Around a group, a miniblock, a vector of 64, the maximum of a one-byte run header, a block.
constexpr std::size_t kRuns[] = {1, 1, 1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 503, 504, 505};

constexpr std::size_t kLongArray = 64 << 10;
constexpr std::size_t kSmallFile = 1500;

template <typename T>
void append(Bytes& out, T value, std::size_t size = sizeof(T)) {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
  for (std::size_t i = 0; i < size; ++i) out.push_back(i < bytes.size() ? bytes[i] : bytes.back());
}

/// A number at an edge of some type, or near the previous one.
std::uint64_t hard_number(std::uint64_t previous, Type type) {
  if (type == Type::FLOAT || type == Type::DOUBLE) {
    const bool narrow = type == Type::FLOAT;
    const auto bits = [&](double real) {
      return narrow ? std::bit_cast<std::uint32_t>(static_cast<float>(real))
                    : std::bit_cast<std::uint64_t>(real);
    };
    const std::uint64_t nan = narrow ? 0x7FC00000 : 0x7FF8000000000000;
    return *rc::gen::element<std::uint64_t>(0, bits(-0.0), bits(1.5), bits(0.1), bits(123456.789),
                                            bits(1e300), nan, nan | 1, nan | (nan << 1) | 7,
                                            bits(std::numeric_limits<double>::infinity()), previous,
                                            *rc::gen::arbitrary<std::uint64_t>());
  }
  return *rc::gen::element<std::uint64_t>(
      0, 1, ~std::uint64_t{0}, INT32_MAX, static_cast<std::uint64_t>(std::int64_t{INT32_MIN}), UINT32_MAX,
      INT64_MAX, static_cast<std::uint64_t>(INT64_MIN), previous, previous + 1, previous - 1, previous + 1000,
      *rc::gen::inRange<std::uint64_t>(0, 300), *rc::gen::arbitrary<std::uint64_t>());
}

/// A byte array with its length: empty, short, of 254 to 256 bytes or of 64 KiB, with a short or long prefix
/// of the previous one.
Bytes hard_array(Bytes& previous) {
  Bytes value = cut(previous, *rc::gen::inRange<std::size_t>(0, previous.size() + 1));
  const std::size_t more = *rc::gen::element<std::size_t>(0, 0, 1, 2, 7, 30, 254, 255, 256);
  value.resize(std::min<std::size_t>(value.size() + more, kLongArray), *rc::gen::arbitrary<std::uint8_t>());
  if (*rc::gen::inRange(0, 200) == 0) value.resize(kLongArray, 'x');
  if (value.size() > 2000 && *rc::gen::inRange(0, 3) != 0) value.clear();
  Bytes out;
  if (value.size() < 255) {
    append(out, static_cast<std::uint8_t>(value.size()));
  } else {
    append(out, std::uint8_t{255});
    append(out, static_cast<std::uint16_t>(std::min<std::size_t>(value.size(), 0xFFFF)));
  }
  out.insert(out.end(), value.begin(), value.end());
  previous = std::move(value);
  return out;
}

/// Values of a type for the encode properties, in runs.
Bytes hard_values(Type type, std::uint32_t width, bool indices) {
  Bytes out;
  if (indices)  // the last three have 17, 24 and 32 bits
    out.push_back(*rc::gen::element<std::uint8_t>(0, 1, 2, 3, 7, 8, 9, 15, 16, 33, 152, 254));
  const std::size_t most = *rc::gen::element<std::size_t>(0, 1, 8, 31, 32, 33, 127, 128, 129, 130, 503, 504,
                                                          505, 600, 2000, 4097, kMostValues);
  std::uint64_t number = 0;
  Bytes array;
  for (std::size_t count = 0; count < most && out.size() < 100'000;) {
    const std::size_t run = std::min(
        most - count, *rc::gen::elementOf(std::vector<std::size_t>(std::begin(kRuns), std::end(kRuns))));
    Bytes value;
    if (!indices && type == Type::BYTE_ARRAY) {
      value = hard_array(array);
    } else {
      number = hard_number(number, type);
      append(value, number, indices ? 2 : type == Type::BOOLEAN ? 1 : width);
    }
    for (std::size_t i = 0; i < run && out.size() < 100'000; ++i)
      out.insert(out.end(), value.begin(), value.end());
    count += run;
  }
  return out;
}

Bytes drawn_tail() { return *rc::gen::container<Bytes>(Tail::kBytes, rc::gen::arbitrary<std::uint8_t>()); }

/// Labels of the generated input, for RapidCheck's table of the distribution.
std::string size_class(std::size_t size) {
  for (const std::size_t limit : {0U, 1U, 8U, 32U, 128U, 504U, 2000U, 20'000U, 65'536U}) {
    if (size <= limit) return "at most " + std::to_string(limit) + " bytes";
  }
  return "more than 65536 bytes";
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word);
  return all;
}

void hold(const Property& property, const Bytes& input) {
  const std::string fault = property.fault(input);
  if (!fault.empty()) RC_FAIL(fault + "; input in hex: " + parqproof::hex(input));
}

}  // namespace

TEST_CASE("every property has a fuzz target, and every fuzz target a property") {
  std::vector<std::string> targets = words_of(PARQPROOF_FUZZ_TARGETS);
  std::vector<std::string> properties;
  for (const Property& property : all_properties()) properties.push_back(property.name);
  std::ranges::sort(targets);
  std::ranges::sort(properties);
  CHECK(targets == properties);
}

TEST_CASE("values of every type round-trip through encoder and decoder, with any options") {
  for (const EncodingInfo& row : all_encodings()) {
    const Property* const property = find_property(property_name("encode_", row.name()));
    if (property == nullptr) continue;
    std::vector<Type> types;
    for (std::size_t i = 0; i < kTypeCount; ++i) {
      if (row.types[i].exists()) types.push_back(static_cast<Type>(i));
    }
    const bool indices =
        row.encoding == Encoding::RLE_DICTIONARY || row.encoding == Encoding::PLAIN_DICTIONARY;
    check_property(property->name, [&] {
      Bytes end = drawn_tail();
      const std::size_t kind = *rc::gen::inRange<std::size_t>(0, types.size());
      end[0] = static_cast<std::uint8_t>((end[0] & 0xF8U) | kind);
      const Type type = types[kind];
      const std::uint32_t width = fixed_width(type, end[1] % 41U);
      const Bytes input = hard_values(type, width, indices);
      RC_TAG(std::string(kTypeEnum.name_of(static_cast<int>(type))), size_class(input.size()));
      hold(*property, input + end);
    });
  }
}

TEST_CASE("levels round-trip through encoder and decoder, for runs of every length and any width") {
  for (const char* const name : {"encode_levels_rle", "encode_levels_bit_packed"}) {
    const Property* const property = find_property(name);
    REQUIRE(property != nullptr);
    check_property(name, [&] {
      const Bytes input = hard_values(Type::BOOLEAN, 1, false);
      RC_TAG(size_class(input.size()));
      hold(*property, input + drawn_tail());
    });
  }
}

TEST_CASE("images round-trip through compression, for runs of every length and any options") {
  for (const CompressionInfo& row : all_compression_codecs()) {
    const Property* const property = find_property(property_name("compress_", row.name()));
    REQUIRE(property != nullptr);
    check_property(property->name, [&] {
      const Bytes input = hard_values(Type::INT32, 4, false);
      RC_TAG(size_class(input.size()));
      hold(*property, input + drawn_tail());
    });
  }
}

TEST_CASE("each rule that an option of the writer entails is broken by some file that is drawn") {
  std::set<Rule> broken;
  for (std::uint8_t seed = 0; seed < 200; ++seed) broken.merge(broken_rules(Bytes{seed, 7}));
  CHECK(broken == entailed_rules());
}

TEST_CASE("arbitrary bytes break no property of the readers of sections, structures and streams") {
  for (const Property& property : all_properties()) {
    if (property.name.starts_with("encode_") && property.name != "encode_options") continue;
    check_property(property.name, [&] {
      const auto size = *rc::gen::element<std::size_t>(0, 1, 7, 20, 60, 300);
      const Bytes input = *rc::gen::container<Bytes>(
          size, *rc::gen::arbitrary<bool>() ? rc::gen::arbitrary<std::uint8_t>()
                                            : rc::gen::element<std::uint8_t>(0, 1, 2, 4, 8, 16, 128, 255));
      RC_TAG(size_class(size));
      hold(property, input + drawn_tail());
    });
  }
}

TEST_CASE("a small file with some changed bytes breaks no property of files") {
  std::vector<const support::Witness*> small;
  for (const support::Witness& witness : support::witnesses()) {
    if (witness.bytes.size() <= kSmallFile) small.push_back(&witness);
  }
  for (const std::string& name : words_of(PARQPROOF_FILE_TARGETS)) {
    const Property* const property = find_property(name);
    REQUIRE(property != nullptr);
    check_property(name, [&] {
      const support::Witness& witness = **rc::gen::elementOf(small);
      Bytes input = witness.bytes;
      const auto changes = *rc::gen::element<std::size_t>(0, 1, 1, 2, 5);
      for (std::size_t i = 0; i < changes && !input.empty(); ++i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, input.size());
        input[at] =
            *rc::gen::element<std::uint8_t>(0, 1, 0x7F, 0x80, 0xFF, *rc::gen::arbitrary<std::uint8_t>());
      }
      RC_TAG(witness.folder.substr(0, witness.folder.find('/')), changes);
      hold(*property, input);
    });
  }
}

}  // namespace parqproof::fuzz
