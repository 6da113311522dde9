#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/file/bloom_filter.hpp"
#include "codec/kernel/kernels.hpp"
#include "tests/kernel/cases.hpp"

namespace parqproof {
namespace {

// Deltas of every width are added up from memory that ends where the readable bytes end.
template <typename T>
void compare_undelta(auto member) {
  for (unsigned width = 0; width <= sizeof(T) * 8; ++width) {
    for (const std::size_t count : kCounts) {
      if (count == 0) continue;
      for (const std::size_t slack : {std::size_t{0}, std::size_t{3}, std::size_t{64}}) {
        Exact<std::uint8_t> bytes(random_vector<std::uint8_t>((count * width + 7) / 8 + slack));
        const std::size_t readable = bytes.all().size();
        const T base = static_cast<T>(random_numbers());
        const T last = static_cast<T>(random_numbers());
        Exact<T> expected(count);
        const auto truth =
            (reference_kernels().*member)(bytes.data(), readable, width, count, base, last, expected.data());
        for_each_fast([&](const Kernels& set) {
          INFO("width " << width << ", count " << count << ", slack " << slack);
          Exact<T> values(count);
          const auto survey = (set.*member)(bytes.data(), readable, width, count, base, last, values.data());
          REQUIRE(values.all() == expected.all());
          REQUIRE(survey.bits == truth.bits);
          REQUIRE(survey.min == truth.min);
        });
      }
    }
  }
}

std::uint32_t number_below(std::uint64_t end) { return static_cast<std::uint32_t>(random_numbers() % end); }

}  // namespace

TEST_CASE("the reference adds up deltas: 5, then 3 and 0 above a smallest delta of -1") {
  const std::uint8_t packed[] = {0b00'11};  // two bits each
  std::uint32_t values[2];
  const Survey<std::uint32_t> survey =
      reference_kernels().undelta32(packed, 1, 2, 2, static_cast<std::uint32_t>(-1), 5, values);
  CHECK(values[0] == 7);
  CHECK(values[1] == 6);
  CHECK(survey.bits == 3);
  CHECK(survey.min == 0);
}

TEST_CASE("all kernels add up deltas of every width like the reference, wrap around, and survey them") {
  compare_undelta<std::uint32_t>(&Kernels::undelta32);
  compare_undelta<std::uint64_t>(&Kernels::undelta64);
}

TEST_CASE("all kernels count and judge pairs of levels like the reference, few levels and many") {
  for (const std::uint32_t depth : {1U, 2U, 7U, 15U, 16U, 40U}) {  // of lists
    std::vector<std::uint32_t> reached{0};
    while (reached.size() <= depth) reached.push_back(reached.back() + 1 + number_below(2));
    const LevelBounds bounds{reached.back() + number_below(2), reached.back(), reached};
    for (const std::size_t count : kCounts) {
      for (int round = 0; round < 20; ++round) {
        Exact<std::uint32_t> repetition(count);
        Exact<std::uint32_t> definition(count);
        // Mostly legal ones, so that a single fault decides.
        for (std::size_t i = 0; i < count; ++i) {
          definition.data()[i] = bounds.max_definition - (number_below(8) == 0 ? number_below(2) : 0);
          repetition.data()[i] = number_below(depth + 1);
          if (number_below(count * 2) == 0) definition.data()[i] = number_below(bounds.max_definition + 1);
        }
        const std::uint32_t previous = round % 2 == 0 ? UINT32_MAX : number_below(bounds.max_definition + 1);
        const std::uint32_t* const repetitions = round % 5 == 0 ? nullptr : repetition.data();
        const LevelTally expected =
            reference_kernels().levels.tally(repetitions, definition.data(), count, previous, bounds);
        for_each_fast([&](const Kernels& set) {
          INFO("depth " << depth << ", count " << count);
          REQUIRE(set.levels.tally(repetitions, definition.data(), count, previous, bounds) == expected);
        });
      }
    }
  }
}

TEST_CASE("a fault that depends on the previous pair is found by all kernels, in every lane") {
  const std::uint32_t reached[] = {0, 2};
  const LevelBounds bounds{3, 2, reached};
  for (std::size_t at = 0; at < 40; ++at) {
    std::vector<std::uint32_t> repetition(41, 0);
    std::vector<std::uint32_t> definition(41, 3);
    repetition[at] = 1;
    for (const Kernels* set : all_kernels()) {
      INFO("kernels: " << set->name << ", at " << at);
      const auto legal = [&] {
        return set->levels.tally(repetition.data(), definition.data(), 41, 3, bounds).legal;
      };
      CHECK(legal());
      definition[at] = 1;
      CHECK_FALSE(legal());
      definition[at] = 3;
      if (at == 0) continue;
      definition[at - 1] = 1;
      CHECK_FALSE(legal());
      definition[at - 1] = 3;
    }
  }
}

TEST_CASE("the key of a byte array compares as the byte array does") {
  for (int round = 0; round < 20'000; ++round) {
    const auto draw = [] {
      std::vector<std::uint8_t> bytes(number_below(11));
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(number_below(2) * 0xFF);
      return bytes;
    };
    const std::vector<std::uint8_t> a = draw();
    const std::vector<std::uint8_t> b = draw();
    const auto key = [](std::vector<std::uint8_t> bytes) {
      const auto size = static_cast<std::uint32_t>(bytes.size());
      bytes.resize(std::max<std::size_t>(bytes.size(), 8), 0x5A);
      return prefix_key_at(bytes.data(), size);
    };
    const bool alike = a.size() > kPrefixBytes && b.size() > kPrefixBytes &&
                       std::equal(a.begin(), a.begin() + kPrefixBytes, b.begin());
    if (alike) {
      CHECK(key(a) == key(b));
    } else {
      CHECK((key(a) < key(b)) == (a < b));
      CHECK((key(a) == key(b)) == (a == b));
    }
  }
}

TEST_CASE("all kernels lay out byte arrays one after another, and survey their sizes") {
  for (const std::size_t count : kCounts) {
    for (const std::uint64_t below : {std::uint64_t{3}, std::uint64_t{1000}, std::uint64_t{1} << 32}) {
      std::vector<std::uint32_t> drawn(count);
      for (std::uint32_t& size : drawn) size = number_below(below);
      Exact<std::uint32_t> sizes(drawn);
      const std::uint8_t byte = 0;
      SizeSurvey expected;
      for (const std::uint32_t size : drawn) expected = {expected.bits | size, expected.sum + size};
      for (const Kernels* const set : all_kernels()) {
        INFO(set->name << ", count " << count << ", sizes below " << below);
        Exact<ByteArray> values(count, 0xA5);
        REQUIRE(set->text.lay_out(sizes.data(), count, &byte, values.data()) == expected);
        std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(&byte);
        for (std::size_t i = 0; i < count; ++i) {
          REQUIRE(reinterpret_cast<std::uintptr_t>(values.data()[i].data) == begin);
          REQUIRE(values.data()[i].size == drawn[i]);
          begin += drawn[i];
        }
      }
    }
  }
}

TEST_CASE(
    "all kernels find the byte array whose key is outside that the reference finds, and read no further") {
  for (const std::size_t count : kCounts) {
    for (int round = 0; round < 40; ++round) {
      // Byte arrays back to back, the last of which begin less than 8 bytes before the end.
      std::vector<std::uint32_t> sizes(count);
      for (std::uint32_t& size : sizes) size = number_below(12);
      std::vector<std::uint8_t> drawn(1 + number_below(12));
      for (const std::uint32_t size : sizes) drawn.resize(drawn.size() + size);
      for (std::uint8_t& byte : drawn) byte = static_cast<std::uint8_t>(0x7E + number_below(4));
      Exact<std::uint8_t> bytes(drawn);
      const std::vector<ByteArray> values = back_to_back(bytes.data(), sizes);
      const std::uint8_t* const readable = bytes.data() + drawn.size();
      // Mostly a wide range, and one that some key is an end of.
      PrefixRange range{0x7E00'0000'0000'0000U, 0x82FF'FFFF'FFFF'FFFFU,
                        round % 2 == 0 ? 0 : std::uint64_t{1} << 63};
      if (range.flip != 0) range = {0, ~std::uint64_t{0}, range.flip};
      if (count != 0 && round % 4 > 1) {
        const ByteArray& some = values[number_below(count)];
        std::uint8_t first[8] = {};
        std::copy_n(some.data, std::min<std::size_t>(8, static_cast<std::size_t>(readable - some.data)),
                    first);
        const std::uint64_t key = prefix_key_at(first, some.size) ^ range.flip;
        (round % 8 > 3 ? range.low : range.high) = key + number_below(2) - number_below(2);
      }
      const std::size_t expected =
          reference_kernels().text.find_outside(values.data(), count, readable, range);
      for_each_fast([&](const Kernels& set) {
        INFO("count " << count);
        REQUIRE(set.text.find_outside(values.data(), count, readable, range) == expected);
      });
    }
  }
}

TEST_CASE("all kernels hash words of 4 and of 8 bytes like the reference, wherever they are") {
  for (const std::size_t count : kCounts) {
    for (const std::size_t in_front : {std::size_t{0}, std::size_t{1}}) {
      Exact<std::uint8_t> bytes(random_vector<std::uint8_t>(count * 8 + in_front));
      for_each_fast([&](const Kernels& set) {
        INFO("count " << count);
        for (const auto member : {&BloomKernels::hash32, &BloomKernels::hash64}) {
          Exact<std::uint64_t> expected(count);
          Exact<std::uint64_t> hashes(count);
          (reference_kernels().bloom.*member)(bytes.data() + in_front, count, expected.data());
          (set.bloom.*member)(bytes.data() + in_front, count, hashes.data());
          REQUIRE(hashes.all() == expected.all());
        }
      });
    }
  }
}

TEST_CASE("all kernels hash byte arrays of every size as xxHash does, without reading past the end") {
  for (const std::size_t count : {0UL, 1UL, 7UL, 8UL, 9UL, 64UL}) {
    for (const std::uint32_t most : {1U, 5U, 32U, 40U, 150U}) {
      std::vector<std::uint32_t> sizes(count);
      for (std::uint32_t& size : sizes) size = number_below(most + 1);
      std::size_t all = 0;
      for (const std::uint32_t size : sizes) all += size;
      Exact<std::uint8_t> bytes(random_vector<std::uint8_t>(all));
      const std::vector<ByteArray> values = back_to_back(bytes.data(), sizes);
      for (const Kernels* set : all_kernels()) {
        INFO("kernels: " << set->name << ", count " << count << ", at most " << most);
        Exact<std::uint64_t> hashes(count);
        set->bloom.hash_arrays(values.data(), count, hashes.data());
        for (std::size_t i = 0; i < count; ++i)
          REQUIRE(hashes.all()[i] == bloom_hash({values[i].data, values[i].size}));
      }
    }
  }
}

TEST_CASE("all kernels find the fingerprint of levels that the reference finds") {
  for (const LevelProjection ancestor :
       {LevelProjection{0, 0}, LevelProjection{1, 3}, LevelProjection{3, 9}}) {
    for (const std::size_t count : kCounts) {
      Exact<std::uint32_t> repetition(count);
      Exact<std::uint32_t> definition(count);
      for (std::size_t i = 0; i < count; ++i) {
        repetition.data()[i] = number_below(4);
        definition.data()[i] = number_below(10);
      }
      LevelPrint expected{random_numbers(), random_numbers()};
      const LevelPrint before = expected;
      reference_kernels().levels.print(repetition.data(), definition.data(), count, ancestor, expected);
      for_each_fast([&](const Kernels& set) {
        INFO("count " << count << ", repetition " << ancestor.repetition);
        LevelPrint print = before;
        set.levels.print(repetition.data(), definition.data(), count, ancestor, print);
        REQUIRE(print == expected);
      });
    }
  }
}

TEST_CASE("the reference hashes words as xxHash does") {
  for (int round = 0; round < 100; ++round) {
    const std::vector<std::uint8_t> word = random_vector<std::uint8_t>(8);
    std::uint64_t hash = 0;
    reference_kernels().bloom.hash32(word.data(), 1, &hash);
    CHECK(hash == bloom_hash(std::span(word).first(4)));
    reference_kernels().bloom.hash64(word.data(), 1, &hash);
    CHECK(hash == bloom_hash(word));
  }
}

TEST_CASE("the reference misses a hash in a Bloom filter if one of its eight bits is not set") {
  constexpr std::uint64_t kHash = 0x8000'0000'1234'5678U;  // in the second of two blocks
  for (std::size_t word = 0; word <= BloomBlock::kWords; ++word) {
    std::vector<std::uint8_t> bitset(2 * BloomBlock::kBytes);
    for (std::size_t i = 0; i < BloomBlock::kWords; ++i) {
      const unsigned bit = bloom_bit(kHash, i);
      if (i != word) bitset[BloomBlock::kBytes + 4 * i + bit / 8] |= static_cast<std::uint8_t>(1U << bit % 8);
    }
    const std::uint64_t missing = word == BloomBlock::kWords ? 0 : 1;
    CHECK(reference_kernels().bloom.missing(bitset.data(), 2, &kHash, 1) == missing);
  }
}

TEST_CASE("all kernels miss the hashes in a Bloom filter that the reference misses") {
  for (const std::size_t blocks : {1UL, 2UL, 3UL, 64UL}) {
    for (std::size_t count = 0; count <= 64; ++count) {
      const std::vector<std::uint64_t> hashes = random_vector<std::uint64_t>(count);
      Exact<std::uint8_t> bitset(blocks * BloomBlock::kBytes);
      for (const std::uint64_t hash : hashes) {  // nearly all are there, some but for one bit
        std::uint8_t* const block = bitset.data() + bloom_block(hash, blocks) * BloomBlock::kBytes;
        const std::uint32_t without = number_below(4 * BloomBlock::kWords);
        for (std::size_t word = 0; word < BloomBlock::kWords; ++word) {
          const unsigned bit = bloom_bit(hash, word);
          if (word != without) block[4 * word + bit / 8] |= static_cast<std::uint8_t>(1U << bit % 8);
        }
      }
      const std::uint64_t expected =
          reference_kernels().bloom.missing(bitset.data(), blocks, hashes.data(), count);
      for_each_fast([&](const Kernels& set) {
        INFO("blocks " << blocks << ", count " << count);
        REQUIRE(set.bloom.missing(bitset.data(), blocks, hashes.data(), count) == expected);
      });
    }
  }
}

}  // namespace parqproof
