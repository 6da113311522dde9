#include <algorithm>
#include <bit>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"
#include "codec/kernel/bloom_bits.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

template <typename T>
void unpack(const std::uint8_t* in, std::size_t /*readable*/, unsigned width, std::size_t count,
            T* out) noexcept {
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    T value = 0;
    for (unsigned k = 0; k < width; ++k, ++bit) {
      value |= static_cast<T>(in[bit / 8] >> (bit % 8) & 1U) << k;
    }
    out[i] = value;
  }
}

void unpack_msb(const std::uint8_t* in, std::size_t /*readable*/, unsigned width, std::size_t count,
                std::uint32_t* out) noexcept {
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t value = 0;
    for (unsigned k = 0; k < width; ++k, ++bit) value = value << 1 | (in[bit / 8] >> (7 - bit % 8) & 1U);
    out[i] = value;
  }
}

template <typename T>
void pack(const T* values, T base, unsigned width, std::size_t count, std::uint8_t* out) noexcept {
  std::fill_n(out, ceil_div(count * width, 8), std::uint8_t{0});
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = values[i] - base;
    for (unsigned k = 0; k < width; ++k, ++bit) {
      out[bit / 8] = static_cast<std::uint8_t>(out[bit / 8] | (value >> k & 1U) << (bit % 8));
    }
  }
}

void pack_msb(const std::uint32_t* values, unsigned width, std::size_t count, std::uint8_t* out) noexcept {
  std::fill_n(out, ceil_div(count * width, 8), std::uint8_t{0});
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (unsigned k = width; k-- > 0; ++bit) {
      out[bit / 8] = static_cast<std::uint8_t>(out[bit / 8] | (values[i] >> k & 1U) << (7 - bit % 8));
    }
  }
}

template <typename T, typename S>
void difference(T* values, std::size_t count, KeyRange<S>* ranges) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    KeyRange<S>& range = ranges[i / kDifferences];
    if (i % kDifferences == 0) range = {};
    values[i] = values[i + 1] - values[i];
    const auto key = static_cast<S>(values[i]);
    range = {std::min(range.min, key), std::max(range.max, key)};
  }
}

template <typename T>
Survey<T> survey(const T* values, std::size_t count) noexcept {
  Survey<T> survey{values[0], values[0]};
  for (std::size_t i = 1; i < count; ++i) survey = {survey.bits | values[i], std::min(survey.min, values[i])};
  return survey;
}

template <typename T>
Survey<T> undelta(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count, T base,
                  T last, T* out) noexcept {
  unpack(in, readable, width, count, out);
  const Survey<T> deltas = survey(out, count);
  for (std::size_t i = 0; i < count; ++i) out[i] = last += base + out[i];
  return deltas;
}

void unsplit(const std::uint8_t* streams, std::size_t stride, std::uint32_t width, std::size_t count,
             std::uint8_t* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < width; ++k) out[i * width + k] = streams[k * stride + i];
  }
}

void split(const std::uint8_t* values, std::uint32_t width, std::size_t count, std::size_t stride,
           std::uint8_t* streams) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < width; ++k) streams[k * stride + i] = values[i * width + k];
  }
}

template <typename F, typename T>
void alp_decode(const T* integers, std::size_t count, T reference, const AlpScale<F>& scale,
                F* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = scale.number(static_cast<AlpInteger<F>>(integers[i] + reference));
  }
}

template <typename F>
AlpFit<AlpInteger<F>> alp_encode(const F* values, std::size_t count, const AlpScale<F>& scale,
                                 AlpInteger<F>* integers, std::uint8_t* exact) noexcept {
  AlpFit<AlpInteger<F>> fit;
  for (std::size_t i = 0; i < count; ++i) {
    exact[i] = scale.find_integer(values[i], integers[i]) ? 1 : 0;
    if (exact[i] == 0) continue;
    ++fit.exact;
    fit.range = {std::min(fit.range.min, integers[i]), std::max(fit.range.max, integers[i])};
  }
  return fit;
}

std::size_t find_run32(const std::uint32_t* values, std::size_t count, std::size_t length) noexcept {
  for (std::size_t i = 0; i + length <= count; ++i) {
    if (std::all_of(values + i, values + i + length, [&](std::uint32_t each) { return each == values[i]; }))
      return i;
  }
  return count;
}

template <typename T>
T key_of(const std::uint8_t* at, NumberKey key) noexcept {
  const T bits = load_le<T>(at);
  switch (key) {
    case NumberKey::signed_int:
      return number_key<NumberKey::signed_int>(bits);
    case NumberKey::unsigned_int:
      return number_key<NumberKey::unsigned_int>(bits);
    case NumberKey::floating:
      return number_key<NumberKey::floating>(bits);
  }
  return bits;
}

template <typename T>
KeyRange<T> key_range(const std::uint8_t* values, std::size_t count, NumberKey key) noexcept {
  KeyRange<T> range;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = key_of<T>(values + i * sizeof(T), key);
    range = {std::min(range.min, value), std::max(range.max, value)};
  }
  return range;
}

LevelTally tally_levels(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
                        std::uint32_t previous, const LevelBounds& bounds) noexcept {
  LevelTally tally;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t level = repetition == nullptr ? 0 : repetition[i];
    const std::uint32_t reached = bounds.reached[level];
    if (definition[i] < reached || previous < reached) tally.legal = false;
    tally.rows += level == 0 ? 1 : 0;
    tally.stored += definition[i] == bounds.max_definition ? 1 : 0;
    tally.null_leaves += definition[i] + 1 == bounds.max_definition ? 1 : 0;
    tally.elements += definition[i] >= bounds.element ? 1 : 0;
    previous = definition[i];
  }
  return tally;
}

std::size_t find_outside(const ByteArray* values, std::size_t count, const std::uint8_t* readable,
                         const PrefixRange& range) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [data, size] = values[i];
    if (readable - data < 8) return i;
    std::uint64_t first = 0;
    for (std::size_t k = 0; k < 8; ++k) first = first << 8 | data[k];
    if (!range.holds(prefix_key(first, size))) return i;
  }
  return count;
}

/// XXH64 of `Width` bytes, 4 or 8.
template <std::size_t Width>
void hash(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept {
  using namespace xxhash;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word = 0;
    for (std::size_t k = Width; k-- > 0;) word = word << 8 | values[i * Width + k];
    const bool eight = Width == 8;
    const std::uint64_t mixed = eight ? std::rotl(word * kPrime2, 31) * kPrime1 : word * kPrime1;
    const std::uint64_t start = (kPrime5 + Width) ^ mixed;
    std::uint64_t hash =
        eight ? std::rotl(start, 27) * kPrime1 + kPrime4 : std::rotl(start, 23) * kPrime2 + kPrime3;
    hash ^= hash >> 33;
    hash *= kPrime2;
    hash ^= hash >> 29;
    hash *= kPrime3;
    hash ^= hash >> 32;
    out[i] = hash;
  }
}

std::uint64_t bloom_missing(const std::uint8_t* bitset, std::uint64_t blocks, const std::uint64_t* hashes,
                            std::size_t count) noexcept {
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* const block = bitset + bloom_block(hashes[i], blocks) * BloomBlock::kBytes;
    for (std::size_t word = 0; word < BloomBlock::kWords; ++word) {
      const unsigned bit = bloom_bit(hashes[i], word);
      if ((block[4 * word + bit / 8] >> bit % 8 & 1) == 0) missing |= std::uint64_t{1} << i;
    }
  }
  return missing;
}

bool is_utf8(const std::uint8_t* bytes, std::size_t count) noexcept {
  return utf8_error({bytes, count}) == count;
}

constexpr Kernels kReference{
    .name = "reference",
    .unpack32 = unpack<std::uint32_t>,
    .unpack64 = unpack<std::uint64_t>,
    .unpack32_msb = unpack_msb,
    .pack32 = pack<std::uint32_t>,
    .pack64 = pack<std::uint64_t>,
    .pack32_msb = pack_msb,
    .undelta32 = undelta<std::uint32_t>,
    .undelta64 = undelta<std::uint64_t>,
    .difference32 = difference<std::uint32_t, std::int32_t>,
    .difference64 = difference<std::uint64_t, std::int64_t>,
    .survey32 = survey<std::uint32_t>,
    .survey64 = survey<std::uint64_t>,
    .unsplit = unsplit,
    .split = split,
    .alp_decode32 = alp_decode<float, std::uint32_t>,
    .alp_decode64 = alp_decode<double, std::uint64_t>,
    .alp_encode32 = alp_encode<float>,
    .alp_encode64 = alp_encode<double>,
    .find_run32 = find_run32,
    .key_range32 = key_range<std::int32_t>,
    .key_range64 = key_range<std::int64_t>,
    .tally_levels = tally_levels,
    .text = {.find_outside = find_outside, .is_utf8 = is_utf8},
    .bloom = {.hash32 = hash<4>, .hash64 = hash<8>, .missing = bloom_missing},
};

}  // namespace

const Kernels& reference_kernels() noexcept { return kReference; }

}  // namespace parqproof
