#include "codec/write/index/bloom_filter_builder.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "codec/file/bloom_filter.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The PLAIN bytes of the INT32 value i.
Bytes plain(std::uint32_t i) {
  return {std::uint8_t(i), std::uint8_t(i >> 8), std::uint8_t(i >> 16), std::uint8_t(i >> 24)};
}

/// The bitset of the values 0 to `count` - 1.
Bytes bitset_of(std::uint32_t count, std::uint32_t max_bytes, double false_positives) {
  BloomFilterBuilder builder(max_bytes);
  for (std::uint32_t i = 0; i < count; ++i) builder.insert(plain(i));
  Bytes out;
  builder.emit(false_positives, out);
  const std::size_t header = out.size() - std::size_t(1U << (std::bit_width(out.size()) - 1));
  return {out.begin() + static_cast<std::ptrdiff_t>(header), out.end()};
}

/// The bitset of the same values that has `bytes` bytes.
Bytes bitset_of_size(std::uint32_t count, std::size_t bytes) {
  Bytes out(bytes);
  for (std::uint32_t i = 0; i < count; ++i) bloom_insert(out, bloom_hash(plain(i)));
  return out;
}

double false_positives_of(const Bytes& bitset) { return BloomFilter(bitset).fill().false_positives; }

TEST_CASE("A Bloom filter has the values, in the smallest bitset that the probability allows") {
  // Hashes are kept below 512 values of a filter of 4,096 bytes; from there on there is a bitset.
  const std::uint32_t count = GENERATE(0U, 1U, 100U, 511U, 512U, 513U, 1500U);
  constexpr std::uint32_t kMaxBytes = 4096;
  constexpr double kFalsePositives = 0.01;
  const Bytes bitset = bitset_of(count, kMaxBytes, kFalsePositives);
  CAPTURE(count);
  CHECK(bitset == bitset_of_size(count, bitset.size()));
  CHECK(false_positives_of(bitset) <= kFalsePositives);
  if (bitset.size() > BloomBlock::kBytes)
    CHECK(false_positives_of(bitset_of_size(count, bitset.size() / 2)) > kFalsePositives);
}

TEST_CASE("A Bloom filter is not larger than its max size, whatever the probability") {
  CHECK(bitset_of(100'000, 4096, 0.01).size() == 4096);
  CHECK(bitset_of(100, 5000, 1e-300).size() == 4096);
  CHECK(bitset_of(3, 4096, 1e-300).size() == 4096);  // more than a block for each value
  CHECK(bitset_of(100, 1, 0.01).size() == BloomBlock::kBytes);
}

}  // namespace
}  // namespace parqproof
