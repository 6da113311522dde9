#include "codec/kernel/kernels.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <vector>

#include "tests/kernel/cases.hpp"

namespace parqproof {
namespace {

// Unpacks from memory that ends where the readable bytes end, so that a sanitizer sees every byte read beyond
// them.
template <typename T, typename Unpack>
std::vector<T> unpack_at_end(Unpack unpack, const std::vector<std::uint8_t>& bytes, unsigned width,
                             std::size_t count) {
  const Exact<std::uint8_t> exact(bytes);
  std::vector<T> out(count);
  unpack(exact.data(), exact.size(), width, count, out.data());
  return out;
}

template <typename T>
void compare_unpack(auto member) {
  for (unsigned width = 0; width <= sizeof(T) * 8; ++width) {
    for (const std::size_t count : kCounts) {
      for (const std::size_t slack : {std::size_t{0}, std::size_t{3}, std::size_t{64}}) {
        const auto bytes = random_vector<std::uint8_t>((count * width + 7) / 8 + slack);
        const auto expected = unpack_at_end<T>(reference_kernels().*member, bytes, width, count);
        for_each_fast([&](const Kernels& set) {
          INFO("width " << width << ", count " << count << ", slack " << slack);
          REQUIRE(unpack_at_end<T>(set.*member, bytes, width, count) == expected);
        });
      }
    }
  }
}

}  // namespace

TEST_CASE("the reference unpacks the example of the specification: 0 to 7 in three bits") {
  const std::vector<std::uint8_t> bytes{0x88, 0xC6, 0xFA};  // Encodings.md#RLE
  CHECK(unpack_at_end<std::uint32_t>(reference_kernels().unpack32, bytes, 3, 8) ==
        std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(unpack_at_end<std::uint64_t>(reference_kernels().unpack64, bytes, 3, 8) ==
        std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE(
    "all kernels unpack 32-bit numbers of every width like the reference, and read no byte beyond the "
    "readable ones") {
  compare_unpack<std::uint32_t>(&Kernels::unpack32);
}

TEST_CASE(
    "all kernels unpack 64-bit numbers of every width like the reference, and read no byte beyond the "
    "readable ones") {
  compare_unpack<std::uint64_t>(&Kernels::unpack64);
}

namespace {

template <typename T>
void compare_survey(auto member) {
  for (const std::size_t count : kCounts) {
    for (unsigned shift = 0; shift < sizeof(T) * 8; shift += 13) {
      auto values = random_vector<T>(count);
      if (values.empty()) continue;
      for (T& value : values) value = static_cast<T>(value >> shift);
      const auto expected = (reference_kernels().*member)(values.data(), count);
      for_each_fast([&](const Kernels& set) {
        INFO("count " << count);
        const auto survey = (set.*member)(values.data(), count);
        CHECK(survey.bits == expected.bits);
        CHECK(survey.min == expected.min);
      });
    }
  }
}

}  // namespace

TEST_CASE("all kernels survey numbers like the reference") {
  compare_survey<std::uint32_t>(&Kernels::survey32);
  compare_survey<std::uint64_t>(&Kernels::survey64);
}

TEST_CASE("all kernels find the maximum") {
  for (const std::size_t count : kCounts) {
    const auto values = random_vector<std::uint32_t>(count);
    const std::uint32_t expected = count == 0 ? 0 : *std::max_element(values.begin(), values.end());
    for (const Kernels* set : all_kernels()) CHECK(max32(*set, values.data(), count) == expected);
  }
}

TEST_CASE("all kernels join split streams like the reference, from streams longer than the batch too") {
  for (const std::uint32_t width : kSplitWidths) {
    for (const std::size_t count : kCounts) {
      for (const std::size_t stride : {count, count + 5}) {
        const std::size_t size = count == 0 ? 0 : (width - 1) * stride + count;
        Exact<std::uint8_t> streams(random_vector<std::uint8_t>(size));
        std::vector<std::uint8_t> expected(count * width);
        reference_kernels().unsplit(streams.data(), stride, width, count, expected.data());
        for_each_fast([&](const Kernels& set) {
          INFO("width " << width << ", count " << count << ", stride " << stride);
          Exact<std::uint8_t> values(count * width);
          set.unsplit(streams.data(), stride, width, count, values.data());
          REQUIRE(values.all() == expected);
        });
      }
    }
  }
}

TEST_CASE("decoders use the fastest kernels unless others are chosen") {
  const Kernels& fastest = *all_kernels().back();
  CHECK(&kernels() == &fastest);
  use_kernels(reference_kernels());
  CHECK(kernels().name == "reference");
  use_kernels(fastest);
  CHECK(&kernels() == &fastest);
}

TEST_CASE("all kernels find the range of keys that the reference finds, at any alignment") {
  for (const std::size_t count : kCounts) {
    const auto bytes = random_vector<std::uint8_t>(count * 8 + 1);
    for (const NumberKey key : {NumberKey::signed_int, NumberKey::unsigned_int, NumberKey::floating}) {
      for (const std::size_t from : {0UL, 1UL}) {
        const auto narrow = reference_kernels().key_range32(bytes.data() + from, count, key);
        const auto wide = reference_kernels().key_range64(bytes.data() + from, count, key);
        for_each_fast([&](const Kernels& set) {
          INFO("count " << count << ", key " << static_cast<int>(key) << ", from " << from);
          CHECK(set.key_range32(bytes.data() + from, count, key) == narrow);
          CHECK(set.key_range64(bytes.data() + from, count, key) == wide);
        });
      }
    }
  }
}

TEST_CASE("keys have the order of their numbers, and convert back to them") {
  const auto key = [](double number) {
    return number_key<NumberKey::floating>(std::bit_cast<std::int64_t>(number));
  };
  const std::vector<double> ascending{-std::numeric_limits<double>::infinity(), -1.5, -0.0, 0.0, 1e-300, 2.0};
  CHECK(std::is_sorted(ascending.begin(), ascending.end(),
                       [&](double a, double b) { return key(a) < key(b); }));
  for (const double number : ascending)
    CHECK(number_key<NumberKey::floating>(key(number)) == std::bit_cast<std::int64_t>(number));
  CHECK(number_key<NumberKey::unsigned_int>(std::int32_t{-1}) == INT32_MAX);
  CHECK(number_key<NumberKey::unsigned_int>(std::int32_t{0}) == INT32_MIN);
}

TEST_CASE("UTF-8 validation is correct wherever a character is in a block") {
  const std::vector<std::vector<std::uint8_t>> texts{
      {'a'},
      {0xC3, 0xA9},
      {0xE2, 0x82, 0xAC},
      {0xED, 0x9F, 0xBF},
      {0xEE, 0x80, 0x80},
      {0xF0, 0x9F, 0x98, 0x80},
      {0xF4, 0x8F, 0xBF, 0xBF},
      {0xC3},
      {0xA9},
      {0xC0, 0xAF},
      {0xC1, 0xBF},
      {0xE0, 0x9F, 0xBF},
      {0xED, 0xA0, 0x80},
      {0xE2, 0x82},
      {0xE2, 0x82, 0xAC, 0x80},
      {0xF0, 0x8F, 0xBF, 0xBF},
      {0xF0, 0x9F, 0x98},
      {0xF4, 0x90, 0x80, 0x80},
      {0xF5, 0x80, 0x80, 0x80},
      {0xFF},
  };
  for_each_fast([&](const Kernels& set) {
    for (const std::vector<std::uint8_t>& text : texts) {
      for (std::size_t at = 0; at < 70; ++at) {
        for (const std::size_t suffix : {std::size_t{0}, std::size_t{1}, std::size_t{40}}) {
          // Memory of exactly this size, so that a sanitizer sees every byte read beyond it.
          std::vector<std::uint8_t> bytes(at, 'x');
          bytes.insert(bytes.end(), text.begin(), text.end());
          bytes.insert(bytes.end(), suffix, 'y');
          const Charset truth = reference_kernels().text.charset(bytes.data(), bytes.size());
          if (set.text.charset(bytes.data(), bytes.size()) != truth) {
            FAIL("the first byte is " << int{text[0]} << " at " << at << ", with " << suffix
                                      << " bytes after it");
          }
        }
      }
    }
  });
}

TEST_CASE("all kernels find a fault far inside a text, among ASCII and among other characters") {
  const std::vector<std::uint8_t> faults[] = {
      {0x80}, {0xC3}, {0xE2, 0x82}, {0xED, 0xA0, 0x80}, {0xF0, 0x9F, 0x98}};
  const auto text = [](std::size_t characters, bool ascii) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < characters; ++i) {
      if (ascii)
        bytes.push_back('x');
      else
        bytes.insert(bytes.end(), {0xC3, 0xA9});
    }
    return bytes;
  };
  const auto joined = [](auto... parts) {
    std::vector<std::uint8_t> bytes;
    (bytes.insert(bytes.end(), parts.begin(), parts.end()), ...);
    return bytes;
  };
  for_each_fast([&](const Kernels& set) {
    for (const bool ascii_before : {false, true}) {
      for (const bool ascii_after : {false, true}) {
        for (std::size_t at = 120; at < 2600; at += 61) {  // the longest stretch of look-ups is 1,024 bytes
          const auto before = text(at, ascii_before);
          const auto after = text(at % 700, ascii_after);
          const auto sound = joined(before, after);
          const bool ascii = ascii_before && (ascii_after || after.empty());
          if (set.text.charset(sound.data(), sound.size()) != (ascii ? Charset::ascii : Charset::utf8))
            FAIL("a sound text of " << sound.size() << " bytes");
          for (const std::vector<std::uint8_t>& fault : faults) {
            const auto broken = joined(before, fault, after);
            if (set.text.charset(broken.data(), broken.size()) != Charset::none)
              FAIL("the first byte is " << int{fault[0]} << " after " << before.size() << " bytes");
          }
        }
      }
    }
  });
}

TEST_CASE("all kernels give the same result for random bytes that resemble UTF-8") {
  constexpr std::uint8_t kBytes[] = {'a',  0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xDF,
                                     0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xC1};
  for_each_fast([&](const Kernels& set) {
    for (int round = 0; round < 20'000; ++round) {
      std::vector<std::uint8_t> bytes(random_numbers() % 100, 'z');
      const std::size_t from = bytes.empty() ? 0 : random_numbers() % bytes.size();
      for (std::size_t i = from; i < std::min(bytes.size(), from + 1 + random_numbers() % 5); ++i)
        bytes[i] = kBytes[random_numbers() % std::size(kBytes)];
      if (set.text.charset(bytes.data(), bytes.size()) !=
          reference_kernels().text.charset(bytes.data(), bytes.size()))
        FAIL("round " << round);
    }
  });
  CHECK(reference_kernels().text.charset(nullptr, 0) == Charset::ascii);
}

}  // namespace parqproof
