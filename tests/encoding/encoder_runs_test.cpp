// Encoders write a run as they write its values one by one, and hold a long run in little memory.
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/table.hpp"
#include "fuzz/memory.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kFixedBytes = 5;
constexpr std::uint64_t kMostValues = INT32_MAX;

/// A repeat count and one of a few values.
struct Run {
  unsigned symbol = 0;
  std::uint64_t count = 1;
};
using Runs = std::vector<Run>;

/// The values of symbols, in the form of an encoding and a type.
class Symbols {
 public:
  static constexpr unsigned kCount = 6;

  Symbols(Encoding encoding, Type type)
      : encoding_(encoding), type_(type), width_(fixed_width(type, kFixedBytes)) {}

  /// The bytes of the value; of a byte array without length.
  [[nodiscard]] std::string bytes(unsigned symbol) const {
    static const std::string kTexts[kCount] = {"", "abc", "abcde", "abd", "b", "abcdefghijklmnopqrstuvwxyz"};
    if (type_ == Type::BYTE_ARRAY) return kTexts[symbol];
    if (type_ == Type::FLOAT) return of(kNumbers<float>[symbol]);
    if (type_ == Type::DOUBLE) return of(kNumbers<double>[symbol]);
    std::string all = of(std::int64_t{1'000'003} * symbol * symbol - 7);
    all.resize(std::max<std::size_t>(width_, 8), 'x');
    return all.substr(0, width_);
  }

  /// Gives the runs to `encoder`: as runs, or value by value.
  [[nodiscard]] EncodeStatus give(ValueEncoder& encoder, const Runs& runs, bool expanded) const {
    std::vector<std::string> texts;
    for (unsigned symbol = 0; symbol < kCount; ++symbol) texts.push_back(bytes(symbol));
    const PlainStrings strings(texts);
    Bytes fixed;
    std::vector<ByteArray> arrays;
    Bytes booleans;
    std::vector<std::uint32_t> indices;
    const auto add = [&](unsigned symbol) {
      fixed.insert(fixed.end(), texts[symbol].begin(), texts[symbol].end());
      arrays.push_back(strings.windows[symbol]);
      booleans.push_back(symbol % 2);
      indices.push_back(symbol);
    };
    const auto batch = [&] {
      return PlainValues{type_, kFixedBytes, indices.size(), fixed, arrays, booleans, indices}.batch(
          encoding_);
    };
    for (const Run& run : runs) {
      for (std::uint64_t i = 0; i < (expanded ? run.count : 1); ++i) add(run.symbol);
      if (expanded) continue;
      if (const EncodeStatus added = encoder.add_run(batch(), run.count); !added) return added;
      fixed.clear(), arrays.clear(), booleans.clear(), indices.clear();
    }
    return expanded ? encoder.add(batch()) : EncodeStatus{};
  }

 private:
  template <typename T>
  static constexpr T kNumbers[kCount] = {T(0),   T(1.5), T(-273.15), std::numeric_limits<T>::quiet_NaN(),
                                         T(1e4), T(0.1)};
  template <typename T>
  static std::string of(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  Encoding encoding_;
  Type type_;
  std::uint32_t width_;
};

/// The section, or the reason why there is none.
struct Written {
  Bytes section{0xEE};
  std::string_view refused;
};

Written write(ValueEncoder& encoder, Encoding encoding, Type type, const Runs& runs,
              const EncodeOptions& options, bool expanded) {
  Written written;
  EncodeStatus status = encoder.open(encoding, {type, kFixedBytes, options, written.section});
  if (status) status = Symbols(encoding, type).give(encoder, runs, expanded);
  if (status) status = encoder.finish();
  if (!status) written.refused = status.error();
  return written;
}
Written write(Encoding encoding, Type type, const Runs& runs, const EncodeOptions& options, bool expanded) {
  ValueEncoder encoder;
  return write(encoder, encoding, type, runs, options, expanded);
}

void check_same(Encoding encoding, Type type, const Runs& runs, const EncodeOptions& options) {
  const Written expanded = write(encoding, type, runs, options, true);
  CHECK(expanded.refused.empty());
  const Written by_run = write(encoding, type, runs, options, false);
  CHECK(by_run.refused == expanded.refused);
  CHECK((by_run.section == expanded.section));
}

// Runs of few and of many values, some of them of the value before.
Runs drawn_runs(std::uint64_t seed, std::size_t count) {
  constexpr std::uint64_t kCounts[] = {1,  1,  1,  2,  31, 32,  33,  63,   64,  65,
                                       66, 95, 96, 97, 98, 128, 130, 1000, 5000};
  Runs runs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = mixed(seed + i);
    runs.push_back(
        {static_cast<unsigned>(random % Symbols::kCount),
         kCounts[(random >> 16) % std::size(kCounts)] + ((random >> 32) % 8 == 0 ? (random >> 40) % 40 : 0)});
  }
  return runs;
}

std::vector<EncodeOptions> option_sets() {
  std::vector<EncodeOptions> sets(7);
  sets[1].block_size = 128;
  sets[1].padding = 0xA5;
  sets[1].unneeded_width = 3;
  sets[1].empty_header = false;
  sets[2].block_size = 384;
  sets[2].miniblocks = 3;
  sets[2].spare_bits = 1;
  sets[3].block_size = 4096;
  sets[3].reference_slack = 3;
  sets[3].prefixes = EncodeOptions::Prefixes::none;
  sets[4].miniblocks = 7;
  sets[4].prefixes = EncodeOptions::Prefixes::longest;
  sets[5].longest_prefix = 2;
  sets[5].log_vector_size = 3;
  sets[6].exponents = EncodeOptions::Exponents{2, 0};
  sets[6].needless_exceptions = 2;
  return sets;
}

}  // namespace

TEST_CASE("a run is written as its values are") {
  for_each_codec([](const EncodingInfo& row, Type type) {
    for (const Runs& runs : {Runs{}, Runs{{1, 0}}, Runs{{1, 1}}, Runs{{1, 10'000}}, Runs{{3, 10'000}}})
      check_same(row.encoding, type, runs, {});
    std::uint64_t seed = 0;
    for (const EncodeOptions& options : option_sets()) {
      for (const std::size_t count : {2U, 3U, 5U, 20U})
        check_same(row.encoding, type, drawn_runs(seed += 100, count), options);
    }
  });
}

TEST_CASE("an encoder that is opened again writes what a new one writes") {
  ValueEncoder used;
  for_each_codec([&](const EncodingInfo& row, Type type) {
    std::uint64_t seed = 0;
    for (const EncodeOptions& options : option_sets()) {
      for (const bool expanded : {true, false}) {
        const Runs runs = drawn_runs(seed += 100, 5);
        const Written expected = write(row.encoding, type, runs, options, expanded);
        // After a section that was never completed, and after one that was.
        Bytes left;
        REQUIRE(used.open(row.encoding, {type, kFixedBytes, options, left}));
        REQUIRE(Symbols(row.encoding, type).give(used, drawn_runs(seed + 50, 4), expanded));
        for (int i = 0; i < 2; ++i) {
          const Written again = write(used, row.encoding, type, runs, options, expanded);
          CHECK(again.refused.empty());
          CHECK((again.section == expected.section));
        }
      }
    }
  });
  for (int i = 0; i < 2; ++i)
    CHECK(write(used, Encoding::RLE_DICTIONARY, Type::INT32, {{3, UINT32_MAX}}, {}, false).refused.empty());
}

TEST_CASE("a long run may be first, in the middle, last, or repeated in a delta stream") {
  for (const Type type : {Type::INT32, Type::INT64}) {
    for (const std::uint64_t count : {90U, 96U, 97U, 1024U, 40'000U}) {
      for (unsigned shift = 0; shift < 34; shift += 3) {
        INFO("type " << static_cast<int>(type) << ", runs of " << count << " after " << shift);
        const Runs runs = {{0, shift}, {1, count}, {2, 1},    {3, count + shift},
                           {3, count}, {4, 70},    {1, count}};
        for (const EncodeOptions& options : option_sets())
          check_same(Encoding::DELTA_BINARY_PACKED, type, runs, options);
        if (count > 2000) break;
      }
    }
  }
}

TEST_CASE("a run of ALP that is longer than the largest vector is written as its values are") {
  constexpr std::uint64_t kVector = 32'768;
  for (const unsigned symbol : {1U, 3U}) {  // a decimal, and an exception
    for (const Type type : {Type::FLOAT, Type::DOUBLE}) {
      check_same(Encoding::ALP, type, {{symbol, 4 * kVector}}, {});
      for (const unsigned log : {3U, 15U}) {
        const EncodeOptions options{.log_vector_size = log, .needless_exceptions = log == 3 ? 2U : 0U};
        check_same(Encoding::ALP, type, {{2, 5}, {symbol, 4 * kVector + 1}, {5, 9}}, options);
      }
    }
    check_same(Encoding::ALP, Type::DOUBLE,
               {{0, kVector},
                {symbol, 4 * kVector - 1},
                {symbol, 2 * kVector},
                {4, 1},
                {symbol, 100},
                {2, 3 * kVector},
                {1, 1},
                {symbol, 3 * kVector}},
               {});
  }
}

TEST_CASE("a run of ALP is written as its values are, with preset exponents or not") {
  // The best exponents of the first vectors are (1, 0), (2, 0) and so on; the preset has five of them.
  constexpr std::size_t kVector = 1024;
  const EncodeOptions options;
  for (const double number : {0.3, 0.0000003, 0.00000003}) {
    std::vector<double> numbers;
    for (double part = 0.1; numbers.size() < 8 * kVector; part /= 10)
      numbers.insert(numbers.end(), kVector, std::stod(std::to_string(part * 1e9) + "e-9"));
    Bytes by_run;
    ValueEncoder encoder;
    REQUIRE(encoder.open(Encoding::ALP, {Type::DOUBLE, 0, options, by_run}));
    REQUIRE(encoder.add(plain_numbers(Type::DOUBLE, numbers).batch(Encoding::ALP)));
    const std::vector<double> again(1, number);
    REQUIRE(encoder.add_run(plain_numbers(Type::DOUBLE, again).batch(Encoding::ALP), 5 * kVector + 3));
    REQUIRE(encoder.finish());
    numbers.insert(numbers.end(), 5 * kVector + 3, number);
    CHECK((by_run == encode(Encoding::ALP, plain_numbers(Type::DOUBLE, numbers))));
  }
}

TEST_CASE("ALP exceptions beyond the range of the offsets are rejected before they are written") {
  const fuzz::HeldBytes held;
  CHECK(write(Encoding::ALP, Type::DOUBLE, {{3, kMostValues}}, {}, false).refused.contains("offsets"));
  CHECK(held.most() < 32U << 20);
}

TEST_CASE("2147483647 equal values take little memory, and one more is rejected") {
  struct Subject {
    Encoding encoding;
    Type type;
    unsigned symbol;
    std::size_t most_bytes;
    std::size_t most_memory;
  };
  constexpr std::size_t kKiB = 1024;
  EncodeOptions options;  // large blocks and vectors: each takes some bytes, even if empty
  options.block_size = 32'768;
  options.miniblocks = 1;
  options.log_vector_size = 15;
  for (const auto& [encoding, type, symbol, most_bytes, most_memory] : {
           Subject{Encoding::DELTA_BINARY_PACKED, Type::INT32, 1, 130 * kKiB, 1024 * kKiB},
           Subject{Encoding::DELTA_BINARY_PACKED, Type::INT64, 2, 130 * kKiB, 1024 * kKiB},
           Subject{Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, 0, 130 * kKiB, 1024 * kKiB},
           Subject{Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, 5, 300 * kKiB, 2048 * kKiB},
           Subject{Encoding::DELTA_BYTE_ARRAY, Type::FIXED_LEN_BYTE_ARRAY, 1, 300 * kKiB, 2048 * kKiB},
           Subject{Encoding::ALP, Type::FLOAT, 1, 1100 * kKiB, 8192 * kKiB},
           Subject{Encoding::ALP, Type::DOUBLE, 2, 1500 * kKiB, 8192 * kKiB},
           Subject{Encoding::RLE_DICTIONARY, Type::INT32, 3, 24, 128 * kKiB},
           Subject{Encoding::RLE, Type::BOOLEAN, 1, 24, 128 * kKiB},
       }) {
    INFO("encoding " << static_cast<int>(encoding) << ", type " << static_cast<int>(type));
    const fuzz::HeldBytes held;
    const Written written = write(encoding, type, {{symbol, kMostValues}}, options, false);
    CHECK(written.refused.empty());
    CHECK(written.section.size() < most_bytes);
    CHECK(held.most() < most_memory);
    OwnDecoder own;
    ValueSpec spec = spec_of(encoding, type, kMostValues, kFixedBytes);
    spec.dictionary_size = Symbols::kCount;
    own.budget.earn(written.section.size());
    REQUIRE(own.open(View{written.section, kBase, Space::page}.from(1), spec));
    const ValueBatch batch = own.decoder.next().value();
    REQUIRE(batch.count > 1);
    const std::string expected = Symbols(encoding, type).bytes(symbol);
    if (batch.form == ValueBatch::Form::fixed) {
      CHECK(std::memcmp(batch.fixed + expected.size(), expected.data(), expected.size()) == 0);
    } else if (batch.form == ValueBatch::Form::byte_arrays) {
      const ByteArray& second = batch.byte_arrays[1];
      CHECK(std::string(reinterpret_cast<const char*>(second.data), second.size) == expected);
    }
    for (const Notes::Note& note : own.notes.all()) CHECK(info(note.error.rule).severity == Severity::info);
    if (type == Type::BOOLEAN || encoding == Encoding::RLE_DICTIONARY) {  // only their section has a limit
      const Written most = write(encoding, type, {{symbol, UINT32_MAX}}, options, false);
      CHECK(most.refused.empty());
      CHECK(most.section.size() < most_bytes);
      continue;
    }
    for (const Runs& runs : {Runs{{1, kMostValues}, {1, 1}}, Runs{{1, kMostValues + 1}}})
      CHECK(write(encoding, type, runs, options, false).refused.starts_with("more than 2147483647 values"));
    CHECK(held.most() < most_memory);
  }
}

TEST_CASE("a long run takes the memory of its section by default") {
  constexpr std::uint64_t kLong = 100'000'000;
  for (const auto& [encoding, type, most_bytes] :
       {std::tuple(Encoding::DELTA_BINARY_PACKED, Type::INT64, 4UL << 20),
        std::tuple(Encoding::ALP, Type::DOUBLE, 2UL << 20)}) {
    const fuzz::HeldBytes held;
    const Written written = write(encoding, type, {{2, kLong}}, {}, false);
    CHECK(written.refused.empty());
    CHECK(written.section.size() < most_bytes);
    CHECK(held.most() < 4 * most_bytes);
  }
}

TEST_CASE("more values than a section can have are rejected before memory is allocated") {
  for_each_codec([](const EncodingInfo& row, Type type) {
    const fuzz::HeldBytes held;
    for (const Runs& runs : {Runs{{1, UINT64_MAX}}, Runs{{1, 1}, {1, UINT64_MAX}},
                             Runs{{1, 3}, {2, UINT32_MAX - 2}}, Runs{{1, std::uint64_t{UINT32_MAX} + 1}}})
      CHECK(write(row.encoding, type, runs, {}, false).refused == "more than 4294967295 values in a section");
    CHECK(held.most() < 1U << 20);
  });
}

TEST_CASE("a call that fails ends the section") {
  const std::uint8_t number[4] = {};
  const ValueBatch value{.count = 1, .fixed = number};
  Bytes out;
  const EncodeOptions usual;
  const EncodeOptions refused{.varint_bytes = 0};
  ValueEncoder encoder;
  CHECK(encoder.finish().error() == "no section is open");
  REQUIRE(encoder.open(Encoding::PLAIN, {Type::INT32, 0, usual, out}));
  CHECK(!encoder.open(Encoding::PLAIN, {Type::INT32, 0, refused, out}));
  CHECK(encoder.add(value).error() == "no section is open");
  REQUIRE(encoder.open(Encoding::PLAIN, {Type::INT32, 0, usual, out}));
  CHECK(!encoder.add_run(value, UINT64_MAX));
  CHECK(encoder.add_run(value, 2).error() == "no section is open");
  CHECK(encoder.finish().error() == "no section is open");
  REQUIRE(encoder.open(Encoding::PLAIN, {Type::INT32, 0, usual, out}));
  REQUIRE(encoder.add_run(value, 2));
  REQUIRE(encoder.finish());
  CHECK(out.size() == 8);
}

}  // namespace parqproof
