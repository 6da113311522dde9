#include <algorithm>
#include <array>
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

SizeSurvey lay_out(const std::uint32_t* sizes, std::size_t count, const std::uint8_t* data,
                   ByteArray* out) noexcept {
  SizeSurvey survey;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(data) + survey.sum;
    out[i] = {reinterpret_cast<const std::uint8_t*>(begin), sizes[i]};
    survey.bits |= sizes[i];
    survey.sum += sizes[i];
  }
  return survey;
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

void print(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
           const LevelProjection& ancestor, LevelPrint& print) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (repetition[i] > ancestor.repetition) continue;
    const std::uint64_t code = LevelPrint::code(repetition[i], std::min(definition[i], ancestor.definition));
    print.first = print.first * LevelPrint::kFirstBase + code;
    print.second = print.second * LevelPrint::kSecondBase + code;
  }
}

/// XXH64 of any bytes.
std::uint64_t hash_of(const std::uint8_t* bytes, std::size_t size) noexcept {
  using xxhash::kPrime1;
  using xxhash::kPrime2;
  using xxhash::kPrime3;
  using xxhash::kPrime4;
  using xxhash::kPrime5;
  const auto mix = [](std::uint64_t lane, std::uint64_t word) {
    return std::rotl(lane + word * kPrime2, 31) * kPrime1;
  };
  const std::uint8_t* const end = bytes + size;
  std::uint64_t hash = kPrime5;
  if (size >= 32) {
    std::array<std::uint64_t, 4> lanes{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
    for (; end - bytes >= 32; bytes += 32) {
      for (std::size_t k = 0; k < 4; ++k) lanes[k] = mix(lanes[k], load_le<std::uint64_t>(bytes + 8 * k));
    }
    hash =
        std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = (hash ^ mix(0, lane)) * kPrime1 + kPrime4;
  }
  hash += size;
  for (; end - bytes >= 8; bytes += 8)
    hash = std::rotl(hash ^ mix(0, load_le<std::uint64_t>(bytes)), 27) * kPrime1 + kPrime4;
  if (end - bytes >= 4) {
    hash = std::rotl(hash ^ load_le<std::uint32_t>(bytes) * kPrime1, 23) * kPrime2 + kPrime3;
    bytes += 4;
  }
  for (; bytes != end; ++bytes) hash = std::rotl(hash ^ *bytes * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

void hash_arrays(const ByteArray* values, std::size_t count, std::uint64_t* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) out[i] = hash_of(values[i].data, values[i].size);
}

template <std::size_t Width>
void hash(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) out[i] = hash_of(values + i * Width, Width);
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

Charset charset(const std::uint8_t* bytes, std::size_t count) noexcept {
  if (is_ascii({bytes, count})) return Charset::ascii;
  return utf8_error({bytes, count}) == count ? Charset::utf8 : Charset::none;
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
    .key_range32 = key_range<std::int32_t>,
    .key_range64 = key_range<std::int64_t>,
    .levels = {.tally = tally_levels, .print = print},
    .text = {.lay_out = lay_out, .find_outside = find_outside, .charset = charset},
    .bloom = {.hash32 = hash<4>, .hash64 = hash<8>, .hash_arrays = hash_arrays, .missing = bloom_missing},
};

}  // namespace

const Kernels& reference_kernels() noexcept { return kReference; }

}  // namespace parqproof
