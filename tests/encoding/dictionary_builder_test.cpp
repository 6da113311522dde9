#include "codec/encoding/dictionary_builder.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

std::mt19937_64 random_numbers(20130730);

template <typename T>
ValueBatch batch_of(const std::vector<T>& values) {
  return {.count = values.size(), .fixed = reinterpret_cast<const std::uint8_t*>(values.data())};
}

// The dictionary by a map: the text of each value, in order of first occurrence.
struct Expected {
  std::vector<std::string> entries;
  std::vector<std::uint32_t> indices;
};
Expected expect(const std::vector<std::string>& values) {
  Expected expected;
  std::map<std::string, std::uint32_t> known;
  for (const std::string& value : values) {
    const auto [at, added] = known.try_emplace(value, static_cast<std::uint32_t>(known.size()));
    if (added) expected.entries.push_back(value);
    expected.indices.push_back(at->second);
  }
  return expected;
}

std::vector<std::string> texts(const std::uint8_t* bytes, std::size_t count, std::size_t width) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i)
    all.emplace_back(reinterpret_cast<const char*>(bytes) + i * width, width);
  return all;
}

// The entries as a decoder of PLAIN reads them from a dictionary page.
std::vector<std::string> read(const DictionaryBuilder& builder, Type type, std::uint32_t type_length = 0) {
  if (builder.size() == 0) return {};
  ValueSpec spec = spec_of(Encoding::PLAIN, type, builder.size(), type_length);
  spec.dictionary_page = true;
  const Decoded decoded = decode(builder.plain(), spec);
  CHECK(!decoded.error);
  if (type == Type::BYTE_ARRAY) return decoded.byte_arrays;
  if (type == Type::BOOLEAN) return texts(decoded.booleans.data(), decoded.booleans.size(), 1);
  return texts(decoded.fixed.data(), builder.size(), decoded.fixed.size() / builder.size());
}

void check_fixed(Type type, std::uint32_t width, std::uint64_t distinct) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < 5000; ++i) {
    std::uint64_t number = random_numbers() % distinct * 0x1'0000'0001;
    for (std::uint32_t k = 0; k < width; ++k, number = number >> 8 | number << 56)
      bytes.push_back(static_cast<std::uint8_t>(number));
  }
  const std::size_t count = 5000;
  const Expected expected = expect(texts(bytes.data(), count, width));
  DictionaryBuilder builder(type, width);
  for (std::size_t done = 0; done < count; done += 1250) {
    const ValueBatch batch{.count = 1250, .fixed = bytes.data() + done * width};
    REQUIRE(builder.add(batch) == 1250);
  }
  CHECK(std::ranges::equal(builder.indices(), expected.indices));
  CHECK(read(builder, type, width) == expected.entries);
}

}  // namespace

TEST_CASE("a dictionary has each value once, in order of first occurrence, whatever the width") {
  for (const std::uint64_t distinct : {1ULL, 2ULL, 100ULL, 127ULL, 128ULL, 129ULL, 4000ULL, 1'000'000ULL}) {
    INFO("distinct " << distinct);
    check_fixed(Type::INT32, 4, distinct);
    check_fixed(Type::INT64, 8, distinct);
    check_fixed(Type::FLOAT, 4, distinct);
    check_fixed(Type::DOUBLE, 8, distinct);
    check_fixed(Type::INT96, 12, distinct);
    for (const std::uint32_t width : {1U, 4U, 5U, 8U, 16U, 33U})
      check_fixed(Type::FIXED_LEN_BYTE_ARRAY, width, distinct);
  }
}

// With a long search for each value these would take many minutes.
TEST_CASE("half a million different values make a dictionary without a long search") {
  constexpr std::uint32_t kCount = 1 << 19;
  std::vector<std::uint32_t> indices(kCount);
  std::iota(indices.begin(), indices.end(), 0);
  const auto check = [&](Type type, std::uint32_t width, const auto& values) {
    DictionaryBuilder builder(type, width);
    REQUIRE(builder.add(batch_of(values)) == kCount);
    CHECK(std::ranges::equal(builder.indices(), indices));
  };
  check(Type::INT32, 0, indices);
  // Numbers, and values that are hashed by their bytes, that differ in their highest bits alone.
  std::vector<std::uint64_t> high(indices.begin(), indices.end());
  for (std::uint64_t& value : high) value <<= 45;
  check(Type::INT64, 0, high);
  check(Type::FIXED_LEN_BYTE_ARRAY, 8, high);
}

TEST_CASE("values are distinct entries of a dictionary if their bits differ") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double other = std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 1);
  DictionaryBuilder builder(Type::DOUBLE);
  CHECK(builder.add(batch_of(std::vector<double>{0.0, -0.0, nan, other, -0.0, nan, other, 0.0})) == 8);
  CHECK(std::ranges::equal(builder.indices(), std::vector<std::uint32_t>{0, 1, 2, 3, 1, 2, 3, 0}));
}

TEST_CASE("byte arrays of every length have their entries, empty ones too") {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < 3000; ++i)
    values.emplace_back(random_numbers() % 40, static_cast<char>('a' + random_numbers() % 3));
  values.emplace_back(65536, 'x');
  const PlainStrings strings(values);
  const ValueBatch batch = strings.values.batch(Encoding::PLAIN);
  DictionaryBuilder builder(Type::BYTE_ARRAY);
  REQUIRE(builder.add(batch) == values.size());
  const Expected expected = expect(values);
  CHECK(std::ranges::equal(builder.indices(), expected.indices));
  CHECK(read(builder, Type::BYTE_ARRAY) == expected.entries);

  builder.sort();
  std::vector<std::string> sorted = expected.entries;
  std::ranges::sort(sorted);
  const auto entries = read(builder, Type::BYTE_ARRAY);
  CHECK(entries == sorted);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (entries[builder.indices()[i]] != values[i]) FAIL("value " << i);
  }
  // New entries are appended after the sorted ones.
  REQUIRE(builder.add(batch) == values.size());
  CHECK(builder.size() == sorted.size());
  CHECK(builder.indices()[values.size()] == builder.indices()[0]);
}

TEST_CASE("booleans have a dictionary of bits, from a run too") {
  DictionaryBuilder builder(Type::BOOLEAN);
  ValueBatch batch{.form = ValueBatch::Form::boolean_run, .count = 3, .run = 1};
  CHECK(builder.add(batch) == 3);
  const std::uint8_t bits[] = {0, 1, 0};
  batch.form = ValueBatch::Form::booleans;
  batch.booleans = bits;
  CHECK(builder.add(batch) == 3);
  CHECK(std::ranges::equal(builder.indices(), std::vector<std::uint32_t>{0, 0, 0, 1, 0, 1}));
  CHECK(builder.plain() == Bytes{0x01});
  builder.sort();
  CHECK(std::ranges::equal(builder.indices(), std::vector<std::uint32_t>{1, 1, 1, 0, 1, 0}));
  CHECK(builder.plain() == Bytes{0x02});
}

TEST_CASE("numbers are sorted by their values, floating point by totalOrder") {
  DictionaryBuilder numbers(Type::INT32);
  CHECK(numbers.add(batch_of(std::vector<std::int32_t>{3, -1, INT32_MIN, 3, INT32_MAX, 0})) == 6);
  numbers.sort();
  CHECK(std::ranges::equal(numbers.indices(), std::vector<std::uint32_t>{3, 1, 0, 3, 4, 2}));
  DictionaryBuilder floats(Type::FLOAT);
  CHECK(floats.add(batch_of(std::vector<float>{0.0F, -0.0F, -2.5F, INFINITY, 1.5F, -INFINITY})) == 6);
  floats.sort();
  CHECK(std::ranges::equal(floats.indices(), std::vector<std::uint32_t>{3, 2, 1, 5, 4, 0}));
}

TEST_CASE("a full dictionary accepts known values, and stops before the first new one") {
  DictionaryBuilder builder(Type::INT64, 0, 3 * 8);
  CHECK(builder.add(batch_of(std::vector<std::int64_t>{1, 2, 3, 2, 1, 4, 1})) == 5);
  CHECK(builder.size() == 3);
  CHECK(builder.indices().size() == 5);
  CHECK(builder.add(batch_of(std::vector<std::int64_t>{3, 3})) == 2);
  CHECK(builder.plain().size() == 24);
  // The length of a byte array counts.
  const std::uint8_t text[] = "abc";
  const ByteArray windows[] = {{text, 3}, {text, 2}};
  const ValueBatch batch{.form = ValueBatch::Form::byte_arrays, .count = 2, .byte_arrays = windows};
  DictionaryBuilder small(Type::BYTE_ARRAY, 0, 12);
  CHECK(small.add(batch) == 1);
  CHECK(small.plain().size() == 7);
  DictionaryBuilder enough(Type::BYTE_ARRAY, 0, 13);
  CHECK(enough.add(batch) == 2);
}

}  // namespace parqproof
