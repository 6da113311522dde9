// The split block Bloom filter, compared with the numbers of BloomFilter.md and of worked examples.
#include "codec/file/bloom_filter.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "codec/base/text.hpp"
#include "tests/rapidcheck.hpp"

namespace parqproof {
namespace {

std::uint64_t hash_of(std::string_view text) {
  return bloom_hash({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::vector<std::uint8_t> filter_of(const std::vector<std::uint64_t>& hashes, std::size_t blocks) {
  std::vector<std::uint8_t> bits(blocks * BloomBlock::kBytes);
  for (const std::uint64_t hash : hashes) bloom_insert(bits, hash);
  return bits;
}

std::vector<std::uint64_t> random_hashes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> hashes(count);
  for (std::uint64_t& hash : hashes) hash = random();
  return hashes;
}

}  // namespace

TEST_CASE("a value is hashed by XXH64 with seed 0", "[unit]") {
  CHECK(hash_of("") == 0xEF46DB3751D8E999);
  CHECK(hash_of("hello") == 0x26C7827D889F6DA3);
  CHECK(hash_of("parquet") == 0x3C9D29275C52E429);
  CHECK(hash_of("bloom") == 0x50C8FB9E62DBC53C);
  CHECK(hash_of("filter") == 0x2A5736CDFCD7A9A1);
}

TEST_CASE("four words set these bits in a filter of one block", "[unit]") {
  const std::vector<std::uint64_t> hashes{hash_of("hello"), hash_of("parquet"), hash_of("bloom"),
                                          hash_of("filter")};
  CHECK(hex(filter_of(hashes, 1)) == "0400b000000a4010010540008000083020028004002020881001005002100808");
}

TEST_CASE("the upper half of the hash chooses the block", "[unit]") {
  CHECK(bloom_block(0, 7) == 0);
  CHECK(bloom_block(0x00000000FFFFFFFF, 7) == 0);
  CHECK(bloom_block(0xFFFFFFFF00000000, 7) == 6);
  CHECK(bloom_block(0x8000000000000000, 2) == 1);
  CHECK(bloom_block(0x7FFFFFFF00000000, 2) == 0);
  CHECK(bloom_block(0xFFFFFFFFFFFFFFFF, (1ULL << 26) - 1) == (1ULL << 26) - 2);
}

TEST_CASE("an inserted value is found, whatever else is inserted", "[unit]") {
  check_property("no false negatives", [](const std::vector<std::uint64_t>& hashes) {
    const std::size_t blocks = *rc::gen::inRange<std::size_t>(1, 20);
    const std::vector<std::uint8_t> bits = filter_of(hashes, blocks);
    const BloomFilter filter(bits);
    for (const std::uint64_t hash : hashes) RC_ASSERT(filter.finds(hash));
    RC_ASSERT(filter.broken_blocks().words == 0);
  });
}

TEST_CASE("a value is not found if any of its eight bits is missing", "[bloom-filter/false-negative]") {
  const std::uint64_t hash = hash_of("hello");
  for (unsigned word = 0; word < BloomBlock::kWords; ++word) {
    std::vector<std::uint8_t> bits(3 * BloomBlock::kBytes, 0xFF);
    const std::uint64_t block = bloom_block(hash, 3);
    const auto bit = static_cast<unsigned>(std::countr_zero(bloom_mask(hash).words[word]));
    bits[block * BloomBlock::kBytes + 4 * word + bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    const std::optional<BloomFilter::Bit> missing = BloomFilter(bits).missing(hash);
    REQUIRE(missing);
    CHECK(missing->block == block);
    CHECK(missing->word == word);
    CHECK(missing->bit == bit);
    CHECK(missing->word_offset() == block * 32 + 4 * word);
  }
}

TEST_CASE("the values of a batch that are not found are those whose hashes are not found", "[unit]") {
  for (const std::uint32_t width : {1U, 4U, 5U, 8U, 12U, 16U}) {
    std::vector<std::uint8_t> values(1000 * width);
    std::mt19937 random(width);
    for (std::uint8_t& byte : values) byte = static_cast<std::uint8_t>(random());
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < 1000; ++i) hashes.push_back(bloom_hash({values.data() + i * width, width}));
    const std::vector<std::uint8_t> bits =
        filter_of({hashes.begin(), hashes.begin() + 400}, 64);  // a few of the others pass
    const BloomFilter filter(bits);
    for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 1000U}) {
      const ValueBatch batch{.form = ValueBatch::Form::fixed, .count = count, .fixed = values.data()};
      std::vector<std::uint64_t> missing;
      filter.for_each_missing(batch, width, [&](std::uint64_t i, std::uint64_t hash) {
        CHECK(hash == hashes[i]);
        missing.push_back(i);
      });
      std::vector<std::uint64_t> expected;
      for (std::size_t i = 0; i < count; ++i)
        if (!filter.finds(hashes[i])) expected.push_back(i);
      CHECK(missing == expected);
    }
  }
}

TEST_CASE("byte arrays are looked up without their length prefixes", "[unit]") {
  const std::vector<std::uint8_t> bits = filter_of({hash_of("x"), hash_of("")}, 1);
  const auto* const text = reinterpret_cast<const std::uint8_t*>("xyz");
  const std::vector<ByteArray> values{{text, 1}, {text, 0}, {text, 2}, {text + 1, 2}};
  const ValueBatch batch{
      .form = ValueBatch::Form::byte_arrays, .count = values.size(), .byte_arrays = values.data()};
  std::vector<std::uint64_t> missing;
  BloomFilter(bits).for_each_missing(batch, 0, [&](std::uint64_t i, std::uint64_t) { missing.push_back(i); });
  CHECK(missing == std::vector<std::uint64_t>{2, 3});
}

TEST_CASE("filters of 1024 blocks have the false positive rate of the specification",
          "[bloom-filter/fill][bloom-filter/saturated]") {
  struct Sized {
    std::size_t values;
    double passing;  // BloomFilter.md#sizing-an-sbbf
  };
  for (const auto& [values, passing] : {Sized{26'214, 0.0126}, Sized{52'428, 0.18}, Sized{13'107, 0.0004}}) {
    INFO(values);
    const std::vector<std::uint8_t> bits = filter_of(random_hashes(values, values), 1024);
    const BloomFilter filter(bits);
    const BloomFilter::Fill fill = filter.fill();
    CHECK(std::abs(fill.false_positives / passing - 1) < 0.15);
    CHECK(std::abs(fill.values / static_cast<double>(values) - 1) < 0.05);
    std::size_t passed = 0;
    constexpr std::size_t kTried = 200'000;
    for (const std::uint64_t hash : random_hashes(kTried, values + 1)) passed += filter.finds(hash) ? 1 : 0;
    CHECK(std::abs(static_cast<double>(passed) / kTried - fill.false_positives) < 0.003);
  }
}

TEST_CASE("a filter without bits matches nothing, one with all bits matches everything", "[unit]") {
  const std::vector<std::uint8_t> none(96);
  CHECK(BloomFilter(none).fill().bits == 0);
  CHECK(BloomFilter(none).fill().false_positives == 0);
  CHECK(BloomFilter(none).fill().values == 0);
  const std::vector<std::uint8_t> all(96, 0xFF);
  CHECK(BloomFilter(all).fill().bits == 768);
  CHECK(BloomFilter(all).fill().false_positives == 1);
  CHECK(std::isfinite(BloomFilter(all).fill().values));
}

TEST_CASE("words without bits in a block with bits are counted, and the first is reported",
          "[bloom-filter/block-words]") {
  std::vector<std::uint8_t> bits(3 * BloomBlock::kBytes);
  CHECK(BloomFilter(bits).broken_blocks().words == 0);
  bits[32 + 4 * 2] = 1;
  const BloomFilter::BrokenBlocks broken = BloomFilter(bits).broken_blocks();
  CHECK(broken.words == 7);
  CHECK(broken.first.word_offset() == 32);
  for (std::size_t word = 0; word < BloomBlock::kWords; ++word) bits[32 + 4 * word] = 1;
  CHECK(BloomFilter(bits).broken_blocks().words == 0);
  bits[64] = 4;
  CHECK(BloomFilter(bits).broken_blocks().first.word_offset() == 68);
}

}  // namespace parqproof
