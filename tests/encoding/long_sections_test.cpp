// Sections of many batches, in every encoding: all values, and the offset of each batch.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>

#include "codec/base/bits.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/encoding/section.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kCount = 3 * 8192 + 77;
static_assert(kCount > 6 * kBatchValues);

// Values of one type by a formula of the ordinal, at any distance from the first value.
struct LongValues {
  Bytes fixed;
  std::vector<std::string> strings;
  std::vector<ByteArray> windows;
  std::vector<std::uint8_t> booleans;
  std::vector<std::uint32_t> indices;
  PlainValues values;

  LongValues(Encoding encoding, Type type, std::uint32_t type_length) {
    values.type = type;
    values.type_length = type_length;
    values.count = kCount;
    for (std::size_t i = 0; i < kCount; ++i) {
      if (encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY) {
        indices.push_back(run_of(i) % 3 == 0 ? static_cast<std::uint32_t>(run_of(i)) : index_of(i));
      } else if (type == Type::BOOLEAN) {
        booleans.push_back(run_of(i) % 3 == 0 ? run_of(i) % 2 : mixed(i) % 2);
      } else if (type == Type::BYTE_ARRAY) {
        add_string(i);
      } else {
        add_fixed(encoding, i);
      }
    }
    windows = windows_of(strings);
    values.fixed = fixed;
    values.byte_arrays = windows;
    values.booleans = booleans;
    values.indices = indices;
  }

 private:
  static std::size_t run_of(std::size_t i) { return i / 700; }
  static std::uint32_t index_of(std::size_t i) { return static_cast<std::uint32_t>(mixed(i) % 1000); }

  // The prefix is that of the value before.
  void add_string(std::size_t i) {
    std::string string = strings.empty() ? "start" : strings.back();
    string.resize(i % 501 == 0 ? 0 : std::min<std::size_t>(string.size(), 2 + mixed(i) % 30));
    string += std::to_string(mixed(i * 3) >> (i % 60));
    strings.push_back(std::move(string));
  }

  void add_fixed(Encoding encoding, std::size_t i) {
    const std::uint32_t width = fixed_width(values.type, values.type_length);
    std::uint64_t bits = mixed(i) >> (i / 100 % 60);
    if (encoding == Encoding::ALP) {  // decimal fractions, with some other numbers
      const double number = static_cast<double>(mixed(i) % 100'000) / std::pow(10.0, i / 3000 % 4);
      bits = i % 97 == 0  ? mixed(i)
             : width == 8 ? std::bit_cast<std::uint64_t>(number)
                          : std::bit_cast<std::uint32_t>(static_cast<float>(number));
    }
    if (values.type == Type::INT96) bits %= 1'000'000;
    for (std::uint32_t k = 0; k < width; ++k) {
      fixed.push_back(static_cast<std::uint8_t>(k < 8 ? bits >> (8 * k) : i * (k - 7)));
    }
  }
};

std::vector<EncodeOptions> options_of(Encoding encoding) {
  using enum EncodeOptions::Runs;
  const EncodeOptions other{.runs = packed, .bit_width = 17, .selector_little_endian = true};
  switch (encoding) {
    case Encoding::PLAIN_DICTIONARY:
    case Encoding::RLE_DICTIONARY:
    case Encoding::RLE:
      return {{.runs = automatic}, {.runs = repeated}, {.runs = packed}, other};
    case Encoding::DELTA_BINARY_PACKED:
    case Encoding::DELTA_LENGTH_BYTE_ARRAY:
    case Encoding::DELTA_BYTE_ARRAY:
      return {{.block_size = 128, .miniblocks = 4},
              {.block_size = 8192, .miniblocks = 1},
              {.block_size = 384, .miniblocks = 3}};
    case Encoding::ALP:
      return {
          {.log_vector_size = 3}, {.log_vector_size = 10}, {.log_vector_size = 13}, {.log_vector_size = 15}};
    default:
      return {{}, other};
  }
}

Decoded check_values(Encoding encoding, const LongValues& expected, const EncodeOptions& options) {
  ValueSpec spec = spec_of(encoding, expected.values.type, kCount, expected.values.type_length);
  spec.dictionary_size = 1000;
  spec.selector_little_endian = options.selector_little_endian;
  Decoded decoded = decode(encode(encoding, expected.values, options), spec);
  CHECK_FALSE(decoded.error);
  CHECK(decoded.count == kCount);
  CHECK(decoded.batches.size() > 2);
  CHECK((decoded.fixed == expected.fixed));  // in parentheses, as Catch2 would print all of them
  CHECK((decoded.byte_arrays == expected.strings));
  CHECK((decoded.booleans == expected.booleans));
  CHECK((decoded.indices == expected.indices));
  for (const Notes::Note& note : decoded.notes.all()) {
    const bool of_options =
        note.error.rule == Rule::alp_vector_size || note.error.rule == Rule::dictionary_bit_width_minimal;
    CHECK(of_options);
  }
  return decoded;
}

// Checks that delta strings are read as they were written; returns the number of batches.
std::size_t check_delta_strings(const std::vector<std::string>& strings, const EncodeOptions& options = {}) {
  const PlainStrings values(strings);
  const Decoded decoded = decode(encode(Encoding::DELTA_BYTE_ARRAY, values.values, options),
                                 spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, strings.size()));
  CHECK(decoded.clean());
  CHECK((decoded.byte_arrays == strings));
  return decoded.batches.size();
}

// Checks that the offset of each batch is `offset_of` of the ordinal of its first value.
void check_offsets(const Decoded& decoded, const std::function<std::uint64_t(std::size_t)>& offset_of) {
  for (const Decoded::Batch& batch : decoded.batches) {
    INFO("value " << batch.first);
    CHECK(batch.offset == kBase + offset_of(static_cast<std::size_t>(batch.first)));
  }
}

}  // namespace

TEST_CASE("every encoding round-trips the values of many batches, whatever the options") {
  for_each_codec([](const EncodingInfo& row, Type type) {
    const LongValues expected(row.encoding, type, type == Type::FIXED_LEN_BYTE_ARRAY ? 19 : 0);
    for (const EncodeOptions& options : options_of(row.encoding))
      (void)check_values(row.encoding, expected, options);
  });
}

TEST_CASE("batches of PLAIN values have the offset of their first value") {
  for (const Type type : {Type::INT32, Type::INT64, Type::INT96, Type::DOUBLE, Type::FIXED_LEN_BYTE_ARRAY}) {
    const LongValues expected(Encoding::PLAIN, type, type == Type::FIXED_LEN_BYTE_ARRAY ? 19 : 0);
    const std::uint32_t width = fixed_width(type, expected.values.type_length);
    check_offsets(check_values(Encoding::PLAIN, expected, {}), [&](std::size_t i) { return i * width; });
  }
  check_offsets(check_values(Encoding::PLAIN, LongValues(Encoding::PLAIN, Type::BOOLEAN, 0), {}),
                [](std::size_t i) { return i / 8; });
  const LongValues strings(Encoding::PLAIN, Type::BYTE_ARRAY, 0);
  check_offsets(check_values(Encoding::PLAIN, strings, {}), [&](std::size_t i) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < i; ++k) at += 4 + strings.strings[k].size();
    return at;
  });
}

TEST_CASE("batches of groups have the offset of the selector of their first group") {
  const LongValues narrow(Encoding::GROUP_VAR_INT, Type::INT32, 0);
  const auto bytes_of = [](std::uint64_t value) {
    std::size_t bytes = 1;
    while (value >>= 8) ++bytes;
    return bytes;
  };
  check_offsets(check_values(Encoding::GROUP_VAR_INT, narrow, {}), [&](std::size_t i) {
    std::size_t at = i / 4;
    for (std::size_t k = 0; k < i; ++k) at += bytes_of(load_le<std::uint32_t>(narrow.fixed.data() + k * 4));
    return at;
  });
  const LongValues wide(Encoding::GROUP_VAR_INT, Type::INT64, 0);
  check_offsets(check_values(Encoding::GROUP_VAR_INT, wide, {}), [&](std::size_t i) {
    std::size_t at = i / 5 * 2;
    for (std::size_t k = 0; k < i; ++k) at += bytes_of(load_le<std::uint64_t>(wide.fixed.data() + k * 8));
    return at;
  });
}

TEST_CASE("batches of split streams have the offset of the first byte of their first value") {
  const LongValues expected(Encoding::BYTE_STREAM_SPLIT, Type::FIXED_LEN_BYTE_ARRAY, 100);
  const Decoded decoded = check_values(Encoding::BYTE_STREAM_SPLIT, expected, {});
  CHECK(decoded.batches[1].first == (1 << 18) / 100);  // 256 KiB at most
  check_offsets(decoded, [](std::size_t i) { return i; });
}

TEST_CASE("batches of delta lengths have the offset of the first byte of their first value") {
  const LongValues expected(Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, 0);
  std::vector<std::uint32_t> lengths;
  for (const std::string& string : expected.strings) {
    lengths.push_back(static_cast<std::uint32_t>(string.size()));
  }
  const std::size_t data = delta_stream(lengths).size();
  check_offsets(check_values(Encoding::DELTA_LENGTH_BYTE_ARRAY, expected, {}), [&](std::size_t i) {
    std::size_t at = data;
    for (std::size_t k = 0; k < i; ++k) at += lengths[k];
    return at;
  });
}

TEST_CASE("batches of ALP vectors have the offset of the vector of their first value") {
  const LongValues expected(Encoding::ALP, Type::DOUBLE, 0);
  for (const unsigned log : {3U, 10U, 12U}) {
    const EncodeOptions options{.log_vector_size = log};
    const Bytes section = encode(Encoding::ALP, expected.values, options);
    const Decoded decoded = check_values(Encoding::ALP, expected, options);
    CHECK(decoded.batches.size() == (kCount >> log) + 1);
    check_offsets(decoded, [&](std::size_t i) {
      return 7 + load_le<std::uint32_t>(section.data() + 7 + (i >> log) * 4);
    });
  }
}

TEST_CASE("batches of hybrid runs have the offset of the header of their run") {
  // Repeated and bit-packed runs by turns; each bit-packed one is two batches and a bit.
  constexpr std::size_t kRun = 2 * HybridDecoder::kBatch + 96;
  std::vector<std::uint32_t> indices;
  Bytes section{10};
  std::vector<std::pair<std::size_t, std::size_t>> starts;  // ordinal and header of each batch
  for (std::uint32_t run = 0; run < 6; ++run) {
    std::vector<std::uint32_t> values(kRun, run);
    if (run % 2 == 0) {
      for (std::size_t i = 0; i < kRun; ++i) values[i] = static_cast<std::uint32_t>(mixed(i + run) % 1000);
    }
    for (std::size_t i = 0; i < (run % 2 == 0 ? kRun : 1); i += HybridDecoder::kBatch) {
      starts.emplace_back(indices.size() + i, section.size());
    }
    const auto form = run % 2 == 0 ? EncodeOptions::Runs::packed : EncodeOptions::Runs::repeated;
    append_hybrid(values, 10, {.runs = form}, section);
    indices.insert(indices.end(), values.begin(), values.end());
  }
  ValueSpec spec = spec_of(Encoding::RLE_DICTIONARY, Type::INT32, indices.size());
  spec.dictionary_size = 1000;
  const Decoded decoded = decode(section, spec);
  CHECK(decoded.clean());
  CHECK((decoded.indices == indices));
  REQUIRE(decoded.batches.size() == starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    CHECK(decoded.batches[i].first == starts[i].first);
    CHECK(decoded.batches[i].offset == kBase + starts[i].second);
  }
}

TEST_CASE("delta strings continue the previous value, even if it is in the previous batch") {
  // Each value keeps all but the last characters of the previous value; its bytes come from far
  // back.
  const auto check = [](std::uint32_t block_size) {
    std::vector<std::string> strings{"0123456789012345678901234567890123456789"};
    while (strings.size() < kCount) {
      const std::size_t i = strings.size();
      std::string next = strings.back().substr(0, strings.back().size() - i % 4);
      if (i % 9 != 0) next.append(i % 3 + (next.size() < 20 ? 2 : 0), static_cast<char>('a' + i % 26));
      strings.push_back(std::move(next));
    }
    CHECK(check_delta_strings(strings, {.block_size = block_size, .miniblocks = 1}) > 4);
  };
  check(128);
  check(8192);
}

TEST_CASE("delta strings of fixed length continue the previous value, even if it is in the previous batch") {
  constexpr std::uint32_t kSize = 23;
  Bytes fixed(kSize, 'x');
  while (fixed.size() < kCount * kSize) {
    const std::size_t i = fixed.size() / kSize;
    const Bytes previous(fixed.end() - kSize, fixed.end());
    fixed.insert(fixed.end(), previous.begin(), previous.end());
    for (std::size_t k = kSize - i % 5; k < kSize; ++k) {
      fixed[i * kSize + k] = static_cast<std::uint8_t>(mixed(i * kSize + k));
    }
  }
  const PlainValues values{
      .type = Type::FIXED_LEN_BYTE_ARRAY, .type_length = kSize, .count = kCount, .fixed = fixed};
  const Bytes section = encode(Encoding::DELTA_BYTE_ARRAY, values);
  const Decoded decoded =
      decode(section, spec_of(Encoding::DELTA_BYTE_ARRAY, Type::FIXED_LEN_BYTE_ARRAY, kCount, kSize));
  CHECK(decoded.clean());
  CHECK((decoded.fixed == fixed));
}

TEST_CASE("delta strings continue after batches that end because their bytes are used up") {
  // Values of 1000 bytes fill a batch after some 260 of them.
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < 3000; ++i) {
    std::string next = strings.empty() ? std::string(1000, 'x') : strings.back();
    next[mixed(i) % 1000] = static_cast<char>('a' + i % 26);
    strings.push_back(std::move(next));
  }
  CHECK(check_delta_strings(strings) > 10);
}

TEST_CASE("delta strings that are each longer than a batch share prefixes, while they grow and shrink") {
  std::vector<std::string> strings{std::string(300'000, 'a')};
  for (std::size_t i = 1; i < 12; ++i) {
    std::string next = strings.back().substr(0, strings.back().size() - i * 1000);
    next.append(i % 4 == 3 ? 1000 : 50'000 * i, static_cast<char>('a' + i));
    strings.push_back(std::move(next));
  }
  CHECK(check_delta_strings(strings) == strings.size());
}

}  // namespace parqproof
