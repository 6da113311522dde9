// What the encoders choose by default is nearly the smallest that their options give.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <concepts>
#include <numeric>

#include "tests/encoding/decode.hpp"
#include "tests/encoding/number_columns.hpp"

namespace parqproof {
namespace {

constexpr double kMost = 1.03;  // of the smallest
constexpr std::size_t kFewBytes = 8;

/// Values of one type, each made of a number.
struct Made {
  Bytes fixed;
  std::vector<std::string> strings;
  std::vector<std::uint8_t> booleans;
  std::vector<std::uint32_t> indices;
  std::vector<ByteArray> windows;
  PlainValues values;

  Made(Type type, const Numbers& numbers) {
    values.type = type;
    values.type_length = type == Type::FIXED_LEN_BYTE_ARRAY ? 6 : 0;
    values.count = numbers.size();
    const auto append = [&](auto value, std::size_t bytes = sizeof(std::uint64_t)) {
      const auto bits = std::bit_cast<std::array<std::uint8_t, sizeof value>>(value);
      fixed.insert(fixed.end(), bits.begin(),
                   bits.begin() + static_cast<std::ptrdiff_t>(std::min(bytes, bits.size())));
    };
    for (const std::int64_t number : numbers) {
      indices.push_back(static_cast<std::uint32_t>(number));
      booleans.push_back(number % 3 == 0 ? 1 : 0);
      switch (type) {
        case Type::FLOAT:
          append(static_cast<float>(number % 100'000) / 100);
          break;
        case Type::DOUBLE:
          append(static_cast<double>(number) / 100);
          break;
        case Type::BYTE_ARRAY:
          strings.push_back("item " + std::to_string(number));
          break;
        case Type::FIXED_LEN_BYTE_ARRAY:
          append(std::byteswap(static_cast<std::uint64_t>(number) << 16), values.type_length);
          break;
        case Type::INT32:
          append(static_cast<std::int32_t>(number));
          break;
        case Type::INT96:
          append(number & INT32_MAX);
          append(std::int32_t{2'450'000});
          break;
        default:
          append(number);
      }
    }
    for (const std::string& string : strings) {
      windows.push_back(
          {reinterpret_cast<const std::uint8_t*>(string.data()), static_cast<std::uint32_t>(string.size())});
    }
    values.fixed = fixed;
    values.byte_arrays = windows;
    values.booleans = booleans;
    values.indices = indices;
  }
};

/// Every choice that can make the output smaller.
std::vector<EncodeOptions> grid(Encoding encoding, Type type) {
  std::vector<EncodeOptions> all;
  EncodeOptions options;
  switch (encoding) {
    case Encoding::RLE:
    case Encoding::PLAIN_DICTIONARY:
    case Encoding::RLE_DICTIONARY:
      for (const auto runs : {EncodeOptions::Runs::repeated, EncodeOptions::Runs::packed}) {
        options.runs = runs;
        all.push_back(options);
      }
      options.runs = EncodeOptions::Runs::automatic;
      for (const std::uint32_t longest : {63U, 504U, 8191U}) {
        options.longest_run = longest;
        all.push_back(options);
      }
      break;
    case Encoding::DELTA_BINARY_PACKED:
    case Encoding::DELTA_LENGTH_BYTE_ARRAY:
    case Encoding::DELTA_BYTE_ARRAY:
      for (const auto prefixes : {EncodeOptions::Prefixes::longest, EncodeOptions::Prefixes::none}) {
        for (std::uint32_t block = 128; block <= 16384; block *= 2) {
          for (std::uint32_t miniblock = 32; miniblock <= block; miniblock *= 2) {
            options.prefixes = prefixes;
            options.block_size = block;
            options.miniblocks = block / miniblock;
            all.push_back(options);
          }
        }
        if (encoding != Encoding::DELTA_BYTE_ARRAY) return all;
      }
      options = {};
      options.prefixes = EncodeOptions::Prefixes::longest;
      for (std::uint32_t longest = 1; longest < 8; ++longest) {
        options.longest_prefix = longest;
        all.push_back(options);
      }
      break;
    case Encoding::ALP:
      for (unsigned log = 3; log <= 15; ++log) {
        options.log_vector_size = log;
        all.push_back(options);
      }
      for (unsigned exponent = 0; exponent <= (type == Type::FLOAT ? 10 : 18); ++exponent) {
        for (unsigned factor = 0; factor <= exponent; ++factor) {
          options.exponents = {.exponent = exponent, .factor = factor};
          options.log_vector_size = 10;
          all.push_back(options);
        }
      }
      break;
    default:
      break;
  }
  return all;
}

std::size_t encoded_size(Encoding encoding, const PlainValues& values, const EncodeOptions& options) {
  return encode(encoding, values, options).size();
}

/// ALP of numbers, of which `is_odd(i)` says which have more decimals: not much above the smallest.
template <std::floating_point F, typename IsOdd>
void check_alp(Type type, IsOdd is_odd, std::size_t count = 20'000) {
  std::vector<F> numbers(count);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto chance = static_cast<double>(mixed(i) % 100'000);
    numbers[i] = static_cast<F>(is_odd(i) ? chance / 1000 : std::floor(chance / 1000));
  }
  const PlainValues values = plain_numbers(type, numbers);
  const std::size_t usual = encoded_size(Encoding::ALP, values, {});
  const auto check = [&](const EncodeOptions& options) {
    CHECK(static_cast<double>(usual) <=
          kMost * static_cast<double>(encoded_size(Encoding::ALP, values, options)) + kFewBytes);
  };
  EncodeOptions options;
  for (unsigned log = 3; log <= 15; ++log) {
    INFO("vectors of 2^" << log);
    options.log_vector_size = log;
    check(options);
  }
  options.log_vector_size = 10;
  for (unsigned exponent = 0; exponent <= (type == Type::FLOAT ? 10 : 18); ++exponent) {
    for (unsigned factor = 0; factor <= exponent; ++factor) {
      INFO("exponents " << exponent << ", " << factor);
      options.exponents = {.exponent = exponent, .factor = factor};
      check(options);
    }
  }
}

/// The fewest bytes of the hybrid, by trying every run at every place.
std::size_t fewest_hybrid_bytes(const std::vector<std::uint32_t>& values, unsigned bit_width) {
  constexpr std::size_t kGroup = 8;
  constexpr std::size_t kNever = SIZE_MAX / 2;
  // The bits up to a value behind a bit-packed run, by the values of its last group, or behind none.
  std::vector<std::array<std::size_t, kGroup + 1>> bits(values.size() + 1);
  for (auto& of_place : bits) of_place.fill(kNever);
  bits[0][kGroup] = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t held = 0; held <= kGroup; ++held) {
      const std::size_t here = bits[i][held] + bit_width;
      std::size_t& next = bits[i + 1][(held + 1) % kGroup];
      // A group that is full may be the last; a header of two bytes and more is left out of account.
      if (held < kGroup) next = std::min(next, here);
      if (held == kGroup) bits[i + 1][1] = std::min(bits[i + 1][1], here + 8);
    }
    const std::size_t whole = std::min(bits[i][0], bits[i][kGroup]);
    for (std::size_t j = i; j < values.size() && values[j] == values[i]; ++j) {
      const std::size_t header = (std::bit_width((j + 1 - i) << 1) + 6) / 7;
      const std::size_t here = whole + 8 * (header + (bit_width + 7) / 8);
      bits[j + 1][kGroup] = std::min(bits[j + 1][kGroup], here);
    }
  }
  std::size_t fewest = kNever;
  for (std::size_t held = 0; held <= kGroup; ++held)
    fewest = std::min(fewest, bits[values.size()][held] +
                                  (kGroup - held % kGroup) % kGroup * (held == kGroup ? 0 : bit_width));
  return fewest / 8;
}

}  // namespace

TEST_CASE("the hybrid cuts periodic values into the fewest bytes") {
  for (const unsigned width : {1U, 2U, 5U, 9U}) {
    for (const std::size_t period :
         {9UL, 17UL, 30UL, 63UL, 64UL, 65UL, 70UL, 71UL, 72UL, 75UL, 79UL, 80UL, 130UL, 400UL}) {
      for (const std::size_t rare : {1UL, 2UL, 5UL, 9UL}) {
        std::vector<std::uint32_t> values;
        for (std::size_t i = 0; i < 1200; ++i)
          values.push_back(i % period < rare ? static_cast<std::uint32_t>(i % 2) : 1);
        Bytes bytes;
        append_hybrid(values, width, {}, bytes);
        INFO(width << " bits, " << rare << " of " << period);
        CHECK(bytes.size() <= fewest_hybrid_bytes(values, width) + 1);
      }
    }
  }
}

TEST_CASE("the hybrid cuts runs of any lengths into the fewest bytes") {
  for (const unsigned width : {1U, 3U, 8U, 12U}) {
    for (const std::size_t longest : {4UL, 12UL, 20UL, 70UL, 90UL, 200UL}) {
      for (std::size_t seed = 0; seed < 20; ++seed) {
        std::vector<std::uint32_t> values;
        for (std::size_t i = seed * 1000; values.size() < 1000; ++i)
          values.insert(values.end(), 1 + mixed(i) % longest, static_cast<std::uint32_t>(i % 2));
        Bytes bytes;
        append_hybrid(values, width, {}, bytes);
        INFO(width << " bits, up to " << longest << ", seed " << seed);
        CHECK(bytes.size() <= fewest_hybrid_bytes(values, width) + 1);
      }
    }
  }
}

TEST_CASE("prefixes that are sometimes longer by chance do not cost bits") {
  for (const std::size_t digits : {4UL, 7UL, 12UL}) {
    for (const std::size_t kind : {0UL, 1UL, 2UL}) {
      std::vector<std::string> strings;
      for (std::size_t i = 0; i < 5000; ++i) {
        const std::string number = std::to_string(mixed(i) + 1'000'000'000'000);
        const std::string front = kind == 0   ? "item "
                                  : kind == 1 ? "item " + std::to_string(i / 100) + " "
                                              : "";
        strings.push_back(front + number.substr(number.size() - digits));
      }
      if (kind == 2) std::ranges::sort(strings);
      std::vector<ByteArray> windows;
      for (const std::string& string : strings)
        windows.push_back({reinterpret_cast<const std::uint8_t*>(string.data()),
                           static_cast<std::uint32_t>(string.size())});
      PlainValues values;
      values.type = Type::BYTE_ARRAY;
      values.count = windows.size();
      values.byte_arrays = windows;
      const std::size_t usual = encoded_size(Encoding::DELTA_BYTE_ARRAY, values, {});
      for (std::uint32_t longest = 0; longest < 12; ++longest) {
        EncodeOptions options;
        options.prefixes = EncodeOptions::Prefixes::longest;
        options.longest_prefix = longest;
        INFO(digits << " digits, kind " << kind << ", prefixes up to " << longest);
        CHECK(static_cast<double>(usual) <=
              kMost * static_cast<double>(encoded_size(Encoding::DELTA_BYTE_ARRAY, values, options)));
      }
    }
  }
}

TEST_CASE("prefixes that few values exceed are found") {
  for (const std::size_t digits : {4UL, 5UL}) {
    for (const std::size_t count : {3000UL, 10'000UL}) {
      for (std::size_t seed = 0; seed < 4; ++seed) {
        std::vector<std::string> strings;
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t chance = mixed(seed * count + i);
          std::string string = "ab";
          for (std::size_t digit = 0; digit < digits; ++digit)
            string += (chance >> digit & 1U) != 0 ? '1' : '0';
          strings.push_back(string);
        }
        const PlainStrings plain(strings);
        const std::size_t usual = encoded_size(Encoding::DELTA_BYTE_ARRAY, plain.values, {});
        for (std::uint32_t longest = 2; longest < 7; ++longest) {
          EncodeOptions options;
          options.prefixes = EncodeOptions::Prefixes::longest;
          options.longest_prefix = longest;
          INFO(count << " values of " << digits << " digits, prefixes up to " << longest);
          CHECK(static_cast<double>(usual) <=
                kMost * static_cast<double>(encoded_size(Encoding::DELTA_BYTE_ARRAY, plain.values, options)));
        }
      }
    }
  }
}

TEST_CASE("ALP finds the exponents of every part of many numbers") {
  const auto fifth = [](std::size_t i) { return i / 1024 % 5 == 4; };
  const auto last = [](std::size_t i) { return i >= std::size_t{19 * 1024}; };
  const auto mostly = [](std::size_t i) { return i / 512 % 5 != 0; };
  check_alp<double>(Type::DOUBLE, fifth);
  check_alp<double>(Type::DOUBLE, last);
  check_alp<double>(Type::DOUBLE, mostly);
  check_alp<float>(Type::FLOAT, fifth);
  check_alp<float>(Type::FLOAT, mostly);
  for (const std::size_t period : {16UL, 32UL, 64UL}) {
    const auto hidden = [&](std::size_t i) { return i / 512 % 2 != 0 && i % period != 0; };
    check_alp<double>(Type::DOUBLE, hidden, 16'384);
    check_alp<float>(Type::FLOAT, hidden, 16'384);
  }
}

TEST_CASE("as many miniblocks as fit into the largest block are written where their number alone is chosen") {
  const std::vector<std::int64_t> numbers{3, 5, -2};
  const PlainValues values = plain_numbers(Type::INT64, numbers);
  for (const std::uint32_t miniblocks :
       {1U, 31U, 1023U, 1024U, 1025U, 1027U, 1028U, 8191U, 8192U, 32'767U, 32'768U}) {
    INFO(miniblocks);
    EncodeOptions options;
    options.miniblocks = miniblocks;
    Bytes section;
    const EncodeStatus status = try_encode(Encoding::DELTA_BINARY_PACKED, values, options, section);
    const std::uint64_t smallest_block = std::lcm(128UL, 32UL * miniblocks);
    REQUIRE(status.has_value() == (smallest_block <= 1'048'576));
    if (!status) continue;
    const Decoded decoded =
        decode(section, spec_of(Encoding::DELTA_BINARY_PACKED, Type::INT64, numbers.size()));
    CHECK_FALSE(decoded.error);
    CHECK(decoded.numbers<std::int64_t>() == numbers);
    options.block_size = static_cast<std::uint32_t>(smallest_block);
    CHECK(section.size() == encoded_size(Encoding::DELTA_BINARY_PACKED, values, options));
  }
}

TEST_CASE("blocks and miniblocks of delta streams need not be powers of two") {
  const auto check = [](const std::vector<std::int64_t>& numbers) {
    const PlainValues values = plain_numbers(Type::INT64, numbers);
    const std::size_t usual = encoded_size(Encoding::DELTA_BINARY_PACKED, values, {});
    for (std::uint32_t block = 128; block <= 4096; block += 128) {
      for (std::uint32_t miniblocks = 1; miniblocks <= block / 32; ++miniblocks) {
        if (block % (32 * miniblocks) != 0) continue;
        EncodeOptions options;
        options.block_size = block;
        options.miniblocks = miniblocks;
        INFO("blocks of " << block << ", miniblocks: " << miniblocks);
        CHECK(static_cast<double>(usual) <=
              kMost * static_cast<double>(encoded_size(Encoding::DELTA_BINARY_PACKED, values, options)) +
                  kFewBytes);
      }
    }
  };
  const auto sum = [](std::size_t count, auto step) {
    std::vector<std::int64_t> numbers{0};
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(numbers.back() + step(i));
    return numbers;
  };
  for (const std::size_t kink : {1500UL, 2679UL, 3100UL})
    check(sum(4000, [&](std::size_t i) { return i < kink ? 1000 : 100'000; }));
  for (const std::size_t period : {544UL, 2176UL, 2432UL, 2944UL, 3968UL})
    check(sum(12 * period, [&](std::size_t i) {
      const auto stretch = static_cast<std::int64_t>(i / period);
      return stretch % 2 != 0 ? 10'007 * stretch : -9973 * stretch;
    }));
}

TEST_CASE("blocks of delta streams follow what they hold, whatever its period") {
  for (const std::size_t period : {96UL, 160UL, 224UL, 480UL}) {
    for (const std::size_t count : {281UL, 1000UL, 20'000UL}) {
      std::vector<std::int32_t> numbers{0};
      for (std::size_t i = 1; i < count; ++i)
        numbers.push_back(numbers.back() + static_cast<std::int32_t>(i / period % 2 != 0 ? mixed(i) % 2 : 0));
      const PlainValues values = plain_numbers(Type::INT32, numbers);
      const std::size_t usual = encoded_size(Encoding::DELTA_BINARY_PACKED, values, {});
      for (const auto& [block, miniblocks] : {std::pair{384U, 4U}, std::pair{640U, 4U}, std::pair{896U, 4U},
                                              std::pair{1152U, 12U}, std::pair{1920U, 4U}}) {
        EncodeOptions options;
        options.block_size = block;
        options.miniblocks = miniblocks;
        INFO(count << " numbers with a period of " << period << " in blocks of " << block);
        CHECK(static_cast<double>(usual) <=
              kMost * static_cast<double>(encoded_size(Encoding::DELTA_BINARY_PACKED, values, options)) +
                  kFewBytes);
      }
    }
  }
}

TEST_CASE("a long constant column is one delta block") {
  const std::vector<std::int32_t> numbers(300'000, 7);
  CHECK(encoded_size(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, numbers), {}) <= 12);
}

TEST_CASE("by default a section is at most 3 % larger than with any options") {
  for_each_codec([](const EncodingInfo& row, Type type) {
    if (row.encoding == Encoding::RLE_DICTIONARY && type != Type::INT32) return;  // indices have no type
    const std::vector<EncodeOptions> choices = grid(row.encoding, type);
    for (const NumberColumn& column : number_columns()) {
      INFO(column.name);
      const Made made(type, numbers_of(column));
      const std::size_t usual = encode(row.encoding, made.values, {}).size();
      std::size_t smallest = usual;
      for (const EncodeOptions& options : choices) {
        smallest = std::min(smallest, encode(row.encoding, made.values, options).size());
      }
      CHECK(static_cast<double>(usual) <= kMost * static_cast<double>(smallest) + kFewBytes);
    }
  });
}

}  // namespace parqproof
