#include "codec/encoding/min_max.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/encoding/decode.hpp"
#include "tests/support/exact.hpp"

namespace parqproof {
namespace {

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}
template <typename T>
Bytes bytes_of(T value) {
  return bytes_of(std::vector<T>{value});
}

void add_fixed(MinMax& min_max, const Bytes& bytes, std::uint64_t count) {
  min_max.add({.count = count, .fixed = bytes.data()});
}

template <typename T>
MinMax of(Order order, Type type, const std::vector<T>& values) {
  MinMax min_max(order, type, sizeof(T));
  add_fixed(min_max, bytes_of(values), values.size());
  return min_max;
}

MinMax of_strings(Order order, const std::vector<std::string>& values) {
  MinMax min_max(order, Type::BYTE_ARRAY, 0);
  min_max.add(PlainStrings(values).values.batch(Encoding::PLAIN));
  return min_max;
}

}  // namespace

TEST_CASE("min and max of integers depend on the signedness of the logical type") {
  const std::vector<std::int32_t> values{5, -1, 3};
  CHECK(of(Order::signed_int, Type::INT32, values).min() == bytes_of(-1));
  CHECK(of(Order::signed_int, Type::INT32, values).max() == bytes_of(5));
  CHECK(of(Order::unsigned_int, Type::INT32, values).min() == bytes_of(3));
  CHECK(of(Order::unsigned_int, Type::INT32, values).max() == bytes_of(-1));
  const std::vector<std::int64_t> wide{INT64_MIN, 0, INT64_MAX};
  CHECK(of(Order::signed_int, Type::INT64, wide).min() == bytes_of(INT64_MIN));
  CHECK(of(Order::unsigned_int, Type::INT64, wide).max() == bytes_of(INT64_MIN));
}

TEST_CASE("NaNs are counted and left out of min and max, unless all values are NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const MinMax mixed = of<double>(Order::floating, Type::DOUBLE, {nan, -2.5, -nan, 7});
  CHECK(mixed.nan_count() == 2);
  CHECK_FALSE(mixed.only_nans());
  CHECK(mixed.min() == bytes_of(-2.5));
  CHECK(mixed.max() == bytes_of(7.0));
  const MinMax alone = of<double>(Order::total, Type::DOUBLE, {nan, std::copysign(nan, -1.0)});
  CHECK(alone.only_nans());
  CHECK(alone.min() == bytes_of(std::copysign(nan, -1.0)));
  CHECK(alone.max() == bytes_of(nan));
  const float infinity = std::numeric_limits<float>::infinity();
  const MinMax ends = of<float>(Order::floating, Type::FLOAT, {infinity, -infinity});
  CHECK(ends.nan_count() == 0);
  CHECK(ends.min() == bytes_of(-infinity));
  CHECK(ends.max() == bytes_of(infinity));
  const MinMax half = of<std::uint16_t>(Order::float16, Type::FIXED_LEN_BYTE_ARRAY, {0x3C00, 0xC000, 0x7E00});
  CHECK(half.nan_count() == 1);
  CHECK(half.min() == bytes_of(std::uint16_t{0xC000}));
  CHECK(half.max() == bytes_of(std::uint16_t{0x3C00}));
}

TEST_CASE("negative zero is less than zero in min and max") {
  const MinMax zeros = of<double>(Order::total, Type::DOUBLE, {0.0, -0.0});
  CHECK(zeros.min() == bytes_of(-0.0));
  CHECK(zeros.max() == bytes_of(0.0));
}

TEST_CASE("min and max of byte arrays follow the column order, whatever their lengths and prefixes") {
  std::mt19937_64 random(2013);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> values(1 + random() % 40);
    for (std::string& value : values) {
      value.assign(random() % 3 * 4, 'p');
      const std::size_t more = random() % 12;
      for (std::size_t i = 0; i < more; ++i) value += static_cast<char>(random() % 4 * 85);
    }
    for (const Order order : {Order::unsigned_bytes, Order::decimal_bytes}) {
      if (order == Order::decimal_bytes) {
        for (std::string& value : values) value += 'd';  // an empty one is no number
      }
      const auto below = [order](const std::string& a, const std::string& b) {
        return compare(order, text(a), text(b)) == Comparison::less;
      };
      const auto [low, high] = std::minmax_element(values.begin(), values.end(), below);
      const MinMax min_max = of_strings(order, values);
      CHECK(compare(order, min_max.min(), text(*low)) == Comparison::equal);
      CHECK(compare(order, min_max.max(), text(*high)) == Comparison::equal);
    }
  }
}

TEST_CASE("min and max of byte arrays in one piece read no byte beyond it") {
  const std::string text_of_all = std::string("ab") + '\0' + "abcdefgh" + "a";
  const support::Exact<std::uint8_t> exact(text(text_of_all));
  const std::uint8_t* const at = exact.data();
  const auto size = static_cast<std::uint32_t>(text_of_all.size());
  const ByteArray windows[] = {{at, 2}, {at + 2, size - 3}, {at + size - 1, 1}, {at + size, 0}};
  MinMax min_max(Order::unsigned_bytes, Type::BYTE_ARRAY, 0);
  ValueBatch batch{
      .form = ValueBatch::Form::byte_arrays, .count = 3, .byte_arrays = windows, .readable = at + size};
  min_max.add(batch);
  CHECK(min_max.min() == text(text_of_all.substr(2, size - 3)));
  CHECK(min_max.max() == text("ab"));
  batch.count = 4;
  min_max.add(batch);
  CHECK(min_max.min().empty());
}

TEST_CASE("min and max of fixed-length decimals compare as numbers") {
  MinMax min_max(Order::decimal_bytes, Type::FIXED_LEN_BYTE_ARRAY, 9);
  const Bytes minus_two(9, 0xFF);
  const Bytes values = with(minus_two, 8, 0xFE) + minus_two + Bytes(9);
  add_fixed(min_max, values, 3);
  CHECK(min_max.min() == cut(values, 9));
  CHECK(min_max.max() == Bytes(9, 0));
}

TEST_CASE("min and max of several batches and observers are merged") {
  MinMax one = of<std::int32_t>(Order::signed_int, Type::INT32, {3, 4});
  add_fixed(one, bytes_of<std::int32_t>(std::vector<std::int32_t>{-7}), 1);
  one.add(of<std::int32_t>(Order::signed_int, Type::INT32, {9}));
  one.add(MinMax(Order::signed_int, Type::INT32, 4));
  CHECK(one.min() == bytes_of(-7));
  CHECK(one.max() == bytes_of(9));
  MinMax strings = of_strings(Order::unsigned_bytes, {"m"});
  strings.add(of_strings(Order::unsigned_bytes, {"a", "z"}));
  CHECK(strings.min() == text("a"));
  CHECK(strings.max() == text("z"));
  const std::string long_one(70'000, 'z');  // its length does not fit into 16 bits
  strings.add(of_strings(Order::unsigned_bytes, {std::string(66'000, 'A'), long_one}));
  CHECK(strings.min() == text(std::string(66'000, 'A')));
  CHECK(strings.max() == text(long_one));
  const Bytes longer = text(std::string(70'001, 'z'));  // a value alone
  strings.add(std::span<const std::uint8_t>(longer));
  CHECK(strings.max() == longer);
  CHECK(MinMax(Order::unsigned_bytes, Type::BYTE_ARRAY, 0).empty());
}

TEST_CASE("min and max of booleans come from bytes and from runs") {
  MinMax min_max(Order::boolean, Type::BOOLEAN, 0);
  const ValueBatch run{.form = ValueBatch::Form::boolean_run, .count = 1'000'000'000, .run = 1};
  min_max.add(run);
  CHECK(min_max.min() == Bytes{1});
  const Bytes flags{1, 0, 1};
  const ValueBatch batch{.form = ValueBatch::Form::booleans, .count = flags.size(), .booleans = flags.data()};
  min_max.add(batch);
  CHECK(min_max.min() == Bytes{0});
  CHECK(min_max.max() == Bytes{1});
}

}  // namespace parqproof
