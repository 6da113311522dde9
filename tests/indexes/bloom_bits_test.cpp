// Each single changed bit of a Bloom filter is one finding, if it can be detected.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"
#include "tests/support/judged.hpp"

namespace parqproof {
namespace {

/// A witness with one filter, whose bitset is directly before the footer.
struct Filtered {
  explicit Filtered(const std::string& name, std::size_t size)
      : bytes(support::read_bytes("corpus/witnesses/bloom-filter/" + name + ".parquet")),
        bits(bytes.size() - 8 - load_le<std::uint32_t>(bytes.data() + bytes.size() - 8) - size),
        count(size) {}

  std::vector<std::uint8_t> bytes;
  std::size_t bits;   ///< offset of the bitset
  std::size_t count;  ///< its bytes
};

/// The effect of changing each bit of a filter.
struct Flips {
  std::size_t cleared = 0;  ///< bits that were set
  std::size_t noticed = 0;
};

Flips flip_each_bit(Filtered& file) {
  Flips flips;
  for (std::size_t at = file.bits; at < file.bits + file.count; ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const auto mask = static_cast<std::uint8_t>(1U << bit);
      const bool was_set = (file.bytes[at] & mask) != 0;
      file.bytes[at] ^= mask;
      const FileReport report = support::judged(file.bytes);
      file.bytes[at] ^= mask;
      INFO("bit " << bit << " of byte " << at - file.bits);
      CHECK(report.findings.size() <= 1);
      flips.cleared += was_set ? 1 : 0;
      if (report.findings.empty()) {
        CHECK_FALSE(was_set);
        continue;
      }
      const Finding& finding = report.findings.front().finding;
      CHECK((finding.rule == Rule::bloom_filter_false_negative ||
             finding.rule == Rule::bloom_filter_block_words));
      // The word is that of the bit, or, in a block that had no bits, the first other one.
      const std::size_t word = file.bits + (at - file.bits) / 4 * 4;
      CHECK((was_set ? finding.offset == word
                     : finding.offset / 32 == word / 32 || finding.offset + 32 > word));
      ++flips.noticed;
    }
  }
  return flips;
}

TEST_CASE("each cleared bit of a full block is detected at its word",
          "[bloom-filter/false-negative][bloom-filter/block-words]") {
  Filtered file("false-negative/pass-b", 32);
  const Flips flips = flip_each_bit(file);
  CHECK(flips.cleared > 100);
  CHECK(flips.noticed == flips.cleared);  // surplus bits only cause false positives
}

TEST_CASE("a set bit is detected in a block without values, a cleared bit in any block",
          "[bloom-filter/false-negative][bloom-filter/block-words]") {
  Filtered file("false-negative/pass-c", 64 * 32);
  const Flips flips = flip_each_bit(file);
  CHECK(flips.cleared >= 40 * 8 - 40);
  CHECK(flips.noticed > flips.cleared + 20 * 256);
}

}  // namespace
}  // namespace parqproof
