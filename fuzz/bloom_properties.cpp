// The property of Bloom filters: inserted values are found, whatever kernels hash and look them up.
#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/file/bloom_filter.hpp"
#include "codec/kernel/kernels.hpp"
#include "fuzz/kernels_in_use.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Values of one width, or byte arrays, as a decoder delivers them.
class BloomValues {
 public:
  /// `width` is the number of bytes of a value; 0 means byte arrays, each after a byte with its length.
  BloomValues(Bytes bytes, std::uint32_t width) : width_(width) {
    if (width == 0) {
      for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t size = std::min<std::size_t>(bytes[at], bytes.size() - at - 1);
        arrays_.push_back({bytes.data() + at + 1, static_cast<std::uint32_t>(size)});
        at += 1 + size;
      }
      batch_.form = ValueBatch::Form::byte_arrays;
      batch_.byte_arrays = arrays_.data();
      batch_.count = arrays_.size();
      batch_.readable = bytes.data() + bytes.size();
    } else {
      batch_.form = ValueBatch::Form::fixed;
      batch_.fixed = bytes.data();
      batch_.count = bytes.size() / width;
    }
  }

  [[nodiscard]] const ValueBatch& batch() const noexcept { return batch_; }
  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] Bytes value(std::uint64_t i) const noexcept {
    if (width_ == 0) return {arrays_[i].data, arrays_[i].size};
    return {batch_.fixed + i * width_, width_};
  }

 private:
  std::uint32_t width_;
  std::vector<ByteArray> arrays_;
  ValueBatch batch_;
};

/// A value that a filter does not find.
struct Missing {
  std::uint64_t value;
  std::uint64_t hash;
  friend bool operator==(const Missing&, const Missing&) = default;
};

std::vector<Missing> missing_with(const Kernels& set, const BloomFilter& filter, const BloomValues& values) {
  const KernelsInUse in_use(set);
  std::vector<Missing> missing;
  filter.for_each_missing(values.batch(), values.width(),
                          [&](std::uint64_t value, std::uint64_t hash) { missing.push_back({value, hash}); });
  return missing;
}

/// Compares the statistics of a filter with a count of its bits.
std::string statistics_fault(const BloomFilter& filter, Bytes bitset) {
  std::uint64_t bits = 0;
  std::uint64_t empty_words = 0;  // words without bits, of blocks with bits
  for (std::size_t block = 0; block < bitset.size(); block += BloomBlock::kBytes) {
    std::uint64_t empty = 0;
    for (std::size_t word = block; word < block + BloomBlock::kBytes; word += 4) {
      unsigned in_word = 0;
      for (std::size_t i = 0; i < 4; ++i) in_word += static_cast<unsigned>(std::popcount(bitset[word + i]));
      bits += in_word;
      empty += in_word == 0 ? 1 : 0;
    }
    if (empty != 8) empty_words += empty;
  }
  if (filter.fill().bits != bits) return "a filter miscounts its bits";
  if (filter.broken_blocks().words != empty_words) return "a filter miscounts its words without bits";
  return {};
}

/// Input: values, and a tail. Types 0 to 2 are values of 4 bytes, values of 8 bytes, and byte arrays; any
/// other type has values with the number of bytes in the width. The filter has 1 to 64 blocks. Values whose
/// hash has a bit in common with the cuts are inserted.
std::string bloom_fault(Bytes input) {
  const Tail tail(input);
  const std::uint32_t width = tail.type() % 4 == 0   ? 4
                              : tail.type() % 4 == 1 ? 8
                              : tail.type() % 4 == 2 ? 0
                                                     : 1U + tail.width();
  const BloomValues values(tail.payload(), width);
  std::vector<std::uint8_t> bitset((1 + tail.count() % 64) * BloomBlock::kBytes);
  std::vector<bool> inserted(values.batch().count);
  for (std::uint64_t i = 0; i < values.batch().count; ++i) {
    const std::uint64_t hash = bloom_hash(values.value(i));
    inserted[i] = (hash & tail.cuts()) != 0;
    if (inserted[i]) bloom_insert(bitset, hash);
  }
  const BloomFilter filter(bitset);
  if (filter.broken_blocks().words != 0) return "a value leaves a word of its block without a bit";
  const std::vector<Missing> missing = missing_with(tail.kernels(), filter, values);
  if (missing != missing_with(reference_kernels(), filter, values))
    return "the values that are not found depend on the kernels";
  std::uint64_t next = 0;
  for (const Missing& one : missing) {
    if (one.hash != bloom_hash(values.value(one.value))) return "a value that is not found has another hash";
    for (; next < one.value; ++next) {
      if (!filter.finds(bloom_hash(values.value(next)))) return "a value that is not found is passed over";
    }
    ++next;
    if (inserted[one.value]) return "an inserted value is not found";
    const std::optional<BloomFilter::Bit> bit = filter.missing(one.hash);
    if (!bit) return "a value that is not found has all its bits";
    if ((bitset[bit->word_offset() + bit->bit / 8] >> bit->bit % 8 & 1) != 0)
      return "a bit that is missing is set";
  }
  if (std::string fault = statistics_fault(filter, bitset); !fault.empty()) return fault;
  // Any bytes can be in the place of a filter.
  const Bytes any = tail.payload().first(tail.payload().size() / BloomBlock::kBytes * BloomBlock::kBytes);
  return any.empty() ? std::string() : statistics_fault(BloomFilter(any), any);
}

}  // namespace

void add_bloom_properties(std::vector<Property>& properties) {
  properties.push_back({"bloom_filter", bloom_fault});
}

}  // namespace parqproof::fuzz
