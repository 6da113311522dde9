#include "codec/kernel/bloom_bits.hpp"
#include "codec/kernel/fast.hpp"
#include "codec/kernel/fast_pack.hpp"
#include "codec/kernel/loops.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

namespace parqproof::kernel {
namespace {

/// Layout of a group of eight values of W bits in lanes of `Lane` bytes: each half of a vector loads 16 bytes
/// from `base`, a byte shuffle moves the bytes of each value into its lane, a shift drops the bits before the
/// value. If the most significant bit comes first (`Msb`), the bytes of a lane are reversed, and the shift
/// drops the bits after the value.
template <unsigned W, unsigned Lane, bool Msb>
struct Spread {
  static constexpr unsigned kHalf = 16 / Lane;         // values in half a vector
  static constexpr unsigned kVectors = 8 / kHalf / 2;  // vectors filled by a group
  struct Half {
    std::size_t base = 0;
    alignas(16) std::uint8_t shuffle[16]{};
    std::uint64_t shift[2]{};
  };
  static constexpr std::array<Half, kVectors * 2> kHalves = [] {
    std::array<Half, kVectors * 2> halves;
    for (unsigned h = 0; h < halves.size(); ++h) {
      Half& half = halves[h];
      half.base = h * kHalf * W / 8;
      for (unsigned k = 0; k < kHalf; ++k) {
        const unsigned bit = (h * kHalf + k) * W - static_cast<unsigned>(half.base) * 8;
        for (unsigned b = 0; b < Lane; ++b)
          half.shuffle[k * Lane + (Msb ? Lane - 1 - b : b)] = static_cast<std::uint8_t>(bit / 8 + b);
        const unsigned shift = Msb ? Lane * 8 - bit % 8 - W : bit % 8;
        half.shift[k * Lane / 8] |= std::uint64_t{shift} << (k * Lane % 8 * 8);
      }
    }
    return halves;
  }();
  static constexpr std::size_t kReach =
      kHalves.back().base + 16;  // bytes that are read, from the start of the group
};

PARQPROOF_AVX2 inline __m256i halves(const void* low, const void* high) noexcept {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(low))),
                                 _mm_loadu_si128(static_cast<const __m128i*>(high)), 1);
}

/// Returns vector `v` of a group: the bytes of each value in its lane, not yet shifted.
template <typename S>
PARQPROOF_AVX2 inline __m256i spread(const std::uint8_t* group, unsigned v) noexcept {
  const auto& low = S::kHalves[2 * v];
  const auto& high = S::kHalves[2 * v + 1];
  return _mm256_shuffle_epi8(halves(group + low.base, group + high.base), halves(low.shuffle, high.shuffle));
}
template <typename S>
PARQPROOF_AVX2 inline __m256i shifts(unsigned v) noexcept {
  return halves(S::kHalves[2 * v].shift, S::kHalves[2 * v + 1].shift);
}

template <bool Msb>
struct Avx2U32 {
  /// Bytes of a lane that fits a value and the bits before it.
  template <unsigned W>
  using Lanes = Spread<W, W <= 25 ? 4 : 8, Msb>;

  /// Returns true if the group that begins at byte `at` may be loaded; groups of width 0 have no bytes.
  template <unsigned W>
  static constexpr bool has_group(std::size_t at, std::size_t readable) noexcept {
    return W == 0 || at + Lanes<W>::kReach <= readable;
  }

  /// Unpacks eight values.
  template <unsigned W>
  PARQPROOF_AVX2 static __m256i group(const std::uint8_t* in) noexcept {
    if constexpr (W == 0) return _mm256_setzero_si256();
    using S = Lanes<W>;
    const __m256i mask = _mm256_set1_epi32(static_cast<int>(low_bits(W)));
    if constexpr (W <= 25) {
      return _mm256_and_si256(_mm256_srlv_epi32(spread<S>(in, 0), shifts<S>(0)), mask);
    } else {
      const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
      const __m256i first = _mm256_srlv_epi64(spread<S>(in, 0), shifts<S>(0));
      const __m256i second = _mm256_srlv_epi64(spread<S>(in, 1), shifts<S>(1));
      return _mm256_and_si256(_mm256_blend_epi32(_mm256_permutevar8x32_epi32(first, even),
                                                 _mm256_permutevar8x32_epi32(second, even), 0xF0),
                              mask);
    }
  }

  template <unsigned W>
  PARQPROOF_AVX2 static void unpack(const std::uint8_t* in, std::size_t readable, std::size_t count,
                                    std::uint32_t* out) noexcept {
    std::size_t i = 0;
    for (std::size_t at = 0; i + 8 <= count && has_group<W>(at, readable); i += 8, at += W)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), group<W>(in + at));
    if constexpr (Msb) {
      unpack_msb_tail(in, readable, W, i, count, out);
    } else {
      unpack_tail(in, readable, W, i, count, out);
    }
  }

  template <unsigned W>
  PARQPROOF_AVX2 static Survey<std::uint32_t> undelta(const std::uint8_t* in, std::size_t readable,
                                                      std::size_t count, std::uint32_t base,
                                                      std::uint32_t last, std::uint32_t* out) noexcept {
    const __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
    const __m256i seventh = _mm256_set1_epi32(7);
    __m256i carry = _mm256_set1_epi32(static_cast<int>(last));
    __m256i bits = _mm256_setzero_si256();
    __m256i min = _mm256_set1_epi32(-1);
    std::size_t i = 0;
    for (std::size_t at = 0; i + 8 <= count && has_group<W>(at, readable); i += 8, at += W) {
      const __m256i deltas = group<W>(in + at);
      bits = _mm256_or_si256(bits, deltas);
      min = _mm256_min_epu32(min, deltas);
      __m256i sums = _mm256_add_epi32(deltas, bases);
      sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 4));
      sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 8));
      const __m256i low = _mm256_permute2x128_si256(sums, sums, 0x08);  // the lower half, above zeros
      sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(low, 0xFF));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_add_epi32(sums, carry));
      carry = _mm256_add_epi32(carry, _mm256_permutevar8x32_epi32(sums, seventh));
    }
    Survey<std::uint32_t> survey{or_of(bits), min_of(min)};
    if (i == count) return survey;
    unpack_tail(in, readable, W, i, count, out);
    undelta_tail(out, i, count, base, last, survey);
    return survey;
  }

 private:
  PARQPROOF_AVX2 static std::uint32_t or_of(__m256i lanes) noexcept {
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    half = _mm_or_si128(half, _mm_shuffle_epi32(half, 0b01'00'11'10));
    half = _mm_or_si128(half, _mm_shuffle_epi32(half, 0b10'11'00'01));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(half));
  }
  PARQPROOF_AVX2 static std::uint32_t min_of(__m256i lanes) noexcept {
    __m128i half = _mm_min_epu32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    half = _mm_min_epu32(half, _mm_shuffle_epi32(half, 0b01'00'11'10));
    half = _mm_min_epu32(half, _mm_shuffle_epi32(half, 0b10'11'00'01));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(half));
  }
};

struct Avx2U64 {
  /// Returns true if a value and the bits before it fit a lane.
  template <unsigned W>
  static constexpr bool kFits = W > 0 && W <= 57;

  /// Unpacks four values: those of vector `v` of a group of eight.
  template <unsigned W>
  PARQPROOF_AVX2 static __m256i half_group(const std::uint8_t* in, unsigned v) noexcept {
    using S = Spread<W, 8, false>;
    const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(low_bits(W)));
    return _mm256_and_si256(_mm256_srlv_epi64(spread<S>(in, v), shifts<S>(v)), mask);
  }

  template <unsigned W>
  PARQPROOF_AVX2 static void unpack(const std::uint8_t* in, std::size_t readable, std::size_t count,
                                    std::uint64_t* out) noexcept {
    std::size_t i = 0;
    if constexpr (kFits<W>) {
      constexpr std::size_t kReach = Spread<W, 8, false>::kReach;
      for (std::size_t at = 0; i + 8 <= count && at + kReach <= readable; i += 8, at += W) {
        for (unsigned v = 0; v < 2; ++v)
          _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i + 4 * v), half_group<W>(in + at, v));
      }
    }
    unpack_tail(in, readable, W, i, count, out);
  }

  template <unsigned W>
  PARQPROOF_AVX2 static Survey<std::uint64_t> undelta(const std::uint8_t* in, std::size_t readable,
                                                      std::size_t count, std::uint64_t base,
                                                      std::uint64_t last, std::uint64_t* out) noexcept {
    if constexpr (!kFits<W>) {
      unpack<W>(in, readable, count, out);
      const Survey<std::uint64_t> deltas = loops::survey(out, count);
      accumulate_by_four(out, count, base, last);
      return deltas;
    } else {
      Survey<std::uint64_t> survey{0, ~std::uint64_t{0}};
      std::size_t i = 0;
      constexpr std::size_t kReach = Spread<W, 8, false>::kReach;
      const __m256i zero = _mm256_setzero_si256();
      const __m256i bases = _mm256_set1_epi64x(static_cast<long long>(base));
      __m256i carry = _mm256_set1_epi64x(static_cast<long long>(last));
      __m256i bits = zero;
      __m256i min = _mm256_set1_epi64x(INT64_MAX);  // no delta of these widths is negative
      for (std::size_t at = 0; i + 8 <= count && at + kReach <= readable; i += 8, at += W) {
        for (unsigned v = 0; v < 2; ++v) {
          const __m256i deltas = half_group<W>(in + at, v);
          bits = _mm256_or_si256(bits, deltas);
          min = _mm256_blendv_epi8(min, deltas, _mm256_cmpgt_epi64(min, deltas));
          __m256i sums = _mm256_add_epi64(deltas, bases);
          sums = _mm256_add_epi64(sums, _mm256_slli_si256(sums, 8));
          const __m256i second = _mm256_permute4x64_epi64(sums, 0b01'01'01'01);
          sums = _mm256_add_epi64(sums, _mm256_blend_epi32(zero, second, 0xF0));
          _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i + 4 * v), _mm256_add_epi64(sums, carry));
          carry = _mm256_add_epi64(carry, _mm256_permute4x64_epi64(sums, 0b11'11'11'11));
        }
      }
      alignas(32) std::uint64_t lanes[2][4];
      _mm256_store_si256(reinterpret_cast<__m256i*>(lanes[0]), bits);
      _mm256_store_si256(reinterpret_cast<__m256i*>(lanes[1]), min);
      for (unsigned k = 0; i != 0 && k < 4; ++k)
        survey = {survey.bits | lanes[0][k], std::min(survey.min, lanes[1][k])};
      if (i == count) return survey;
      unpack_tail(in, readable, W, i, count, out);
      undelta_tail(out, i, count, base, last, survey);
      return survey;
    }
  }
};

PARQPROOF_AVX2 LevelTally tally_levels(const std::uint32_t* repetition, const std::uint32_t* definition,
                                       std::size_t count, std::uint32_t previous,
                                       const LevelBounds& bounds) noexcept {
  return loops::tally_levels(repetition, definition, count, previous, bounds);
}

// AVX2 has no advantage here.
std::size_t find_outside(const ByteArray* values, std::size_t count, const std::uint8_t* readable,
                         const PrefixRange& range) noexcept {
  return kPortable.text.find_outside(values, count, readable, range);
}

template <typename T, typename S>
PARQPROOF_AVX2 void difference(T* values, std::size_t count, KeyRange<S>* ranges) noexcept {
  loops::difference(values, count, ranges);
}
PARQPROOF_AVX2 void alp_decode32(const std::uint32_t* integers, std::size_t count, std::uint32_t reference,
                                 const AlpScale<float>& scale, float* out) noexcept {
  loops::alp_decode(integers, count, reference, scale, out);
}

template <typename T>
PARQPROOF_AVX2 Survey<T> survey(const T* values, std::size_t count) noexcept {
  return loops::survey(values, count);
}
template <typename T>
PARQPROOF_AVX2 KeyRange<T> key_range(const std::uint8_t* values, std::size_t count, NumberKey key) noexcept {
  return loops::key_range<T>(values, count, key);
}

/// Transposes a matrix of 16 x 16 bytes.
PARQPROOF_AVX2 inline void transpose_16(__m128i (&rows)[16]) noexcept {
  __m128i next[16];
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned k = 0; k < 8; ++k) {
      next[2 * k] = _mm_unpacklo_epi8(rows[k], rows[8 + k]);
      next[2 * k + 1] = _mm_unpackhi_epi8(rows[k], rows[8 + k]);
    }
    std::copy(next, next + 16, rows);
  }
}

/// Processes blocks of 64 values, so that the bytes of a stream are used again while they are cached. In each
/// block, calls `use(i, k)` for 16 values from i and 16 bytes from k; the last bytes may be processed twice.
/// Accesses may be 16 bytes long for every value: enough values are left to the caller to make that safe.
/// Returns the number of processed values.
template <typename Use>
PARQPROOF_AVX2 inline std::size_t by_16_and_16(std::uint32_t width, std::size_t count, Use use) noexcept {
  const std::size_t reserved = width < 16 ? 16 / width + 1 : 0;  // values left to the caller
  const std::size_t done = count < 16 + reserved ? 0 : (count - reserved) / 16 * 16;
  for (std::size_t block = 0; block < done; block += 64) {
    const std::size_t end = std::min(done, block + 64);
    for (std::uint32_t k = 0;; k = std::min(k + 16, width - 16)) {
      for (std::size_t i = block; i < end; i += 16) use(i, k);
      if (k + 16 >= width) break;
    }
  }
  return done;
}

PARQPROOF_AVX2 std::size_t unsplit_any(const std::uint8_t* streams, std::size_t stride, std::uint32_t width,
                                       std::size_t count, std::uint8_t* out) noexcept {
  const std::uint32_t rows = std::min(width, 16U);
  return by_16_and_16(width, count, [=](std::size_t i, std::uint32_t k) PARQPROOF_AVX2 {
    __m128i bytes[16];
    for (std::uint32_t row = 0; row < 16; ++row) {
      bytes[row] = row < rows
                       ? _mm_loadu_si128(reinterpret_cast<const __m128i*>(streams + (k + row) * stride + i))
                       : _mm_setzero_si128();
    }
    transpose_16(bytes);
    for (std::uint32_t value = 0; value < 16; ++value)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + (i + value) * width + k), bytes[value]);
  });
}

PARQPROOF_AVX2 std::size_t split_any(const std::uint8_t* values, std::uint32_t width, std::size_t count,
                                     std::size_t stride, std::uint8_t* streams) noexcept {
  const std::uint32_t rows = std::min(width, 16U);
  return by_16_and_16(width, count, [=](std::size_t i, std::uint32_t k) PARQPROOF_AVX2 {
    __m128i bytes[16];
    for (std::uint32_t value = 0; value < 16; ++value)
      bytes[value] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + (i + value) * width + k));
    transpose_16(bytes);
    for (std::uint32_t row = 0; row < rows; ++row)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(streams + (k + row) * stride + i), bytes[row]);
  });
}

/// Interleaves 16 bytes of each stream into sixteen values of W = 2^n bytes, in n rounds.
template <unsigned W>
PARQPROOF_AVX2 std::size_t unsplit_by_16(const std::uint8_t* streams, std::size_t stride, std::size_t count,
                                         std::uint8_t* out) noexcept {
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __m128i now[W];
    __m128i next[W];
    for (unsigned k = 0; k < W; ++k) {
      now[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(streams + k * stride + i));
    }
    for (unsigned round = 1; round < W; round *= 2) {
      for (unsigned k = 0; k < W / 2; ++k) {
        next[2 * k] = _mm_unpacklo_epi8(now[k], now[W / 2 + k]);
        next[2 * k + 1] = _mm_unpackhi_epi8(now[k], now[W / 2 + k]);
      }
      std::copy(next, next + W, now);
    }
    for (unsigned k = 0; k < W; ++k) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * W) + k, now[k]);
  }
  return i;
}

PARQPROOF_AVX2 void unsplit(const std::uint8_t* streams, std::size_t stride, std::uint32_t width,
                            std::size_t count, std::uint8_t* out) noexcept {
  std::size_t done = 0;
  switch (width) {
    case 2:
      done = unsplit_by_16<2>(streams, stride, count, out);
      break;
    case 4:
      done = unsplit_by_16<4>(streams, stride, count, out);
      break;
    case 8:
      done = unsplit_by_16<8>(streams, stride, count, out);
      break;
    case 1:
      break;
    default:
      done = unsplit_any(streams, stride, width, count, out);
      break;
  }
  if (done < count) kPortable.unsplit(streams + done, stride, width, count - done, out + done * width);
}

/// Deinterleaves sixteen values of W = 2^n bytes into 16 bytes of each stream, in n rounds.
template <unsigned W>
PARQPROOF_AVX2 std::size_t split_by_16(const std::uint8_t* values, std::size_t count, std::size_t stride,
                                       std::uint8_t* streams) noexcept {
  const __m128i low = _mm_set1_epi16(0xFF);
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __m128i now[W];
    __m128i next[W];
    for (unsigned k = 0; k < W; ++k)
      now[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i * W) + k);
    // Each round moves the bytes with an even index in all vectors before the others, until each stream is
    // contiguous.
    for (unsigned round = 1; round < W; round *= 2) {
      for (unsigned k = 0; k < W / 2; ++k) {
        next[k] = _mm_packus_epi16(_mm_and_si128(now[2 * k], low), _mm_and_si128(now[2 * k + 1], low));
        next[W / 2 + k] = _mm_packus_epi16(_mm_srli_epi16(now[2 * k], 8), _mm_srli_epi16(now[2 * k + 1], 8));
      }
      std::copy(next, next + W, now);
    }
    for (unsigned k = 0; k < W; ++k)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(streams + k * stride + i), now[k]);
  }
  return i;
}

PARQPROOF_AVX2 void split(const std::uint8_t* values, std::uint32_t width, std::size_t count,
                          std::size_t stride, std::uint8_t* streams) noexcept {
  std::size_t done = 0;
  switch (width) {
    case 2:
      done = split_by_16<2>(values, count, stride, streams);
      break;
    case 4:
      done = split_by_16<4>(values, count, stride, streams);
      break;
    case 8:
      done = split_by_16<8>(values, count, stride, streams);
      break;
    case 1:
      break;
    default:
      done = split_any(values, width, count, stride, streams);
      break;
  }
  if (done < count) kPortable.split(values + done * width, width, count - done, stride, streams + done);
}

void print(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
           const LevelProjection& ancestor, LevelPrint& print) noexcept {
  kPortable.levels.print(repetition, definition, count, ancestor, print);
}

void hash_arrays(const ByteArray* values, std::size_t count, std::uint64_t* out) noexcept {
  kPortable.bloom.hash_arrays(values, count, out);
}
void hash32(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept {
  kPortable.bloom.hash32(values, count, out);
}
void hash64(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept {
  kPortable.bloom.hash64(values, count, out);
}

}  // namespace

// One hash at a time, with the eight words of its block in one vector.
PARQPROOF_AVX2 std::uint64_t bloom_missing_avx2(const std::uint8_t* bitset, std::uint64_t blocks,
                                                const std::uint64_t* hashes, std::size_t count) noexcept {
  const auto block = [&](std::size_t i) {
    return bitset + bloom_block(hashes[i], blocks) * BloomBlock::kBytes;
  };
  for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(block(i));
  const __m256i salt = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kBloomSalt.data()));
  const __m256i one = _mm256_set1_epi32(1);
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const __m256i have = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block(i)));
    const __m256i key = _mm256_set1_epi32(static_cast<int>(hashes[i]));
    const __m256i want = _mm256_sllv_epi32(one, _mm256_srli_epi32(_mm256_mullo_epi32(key, salt), 27));
    missing |= static_cast<std::uint64_t>(_mm256_testc_si256(have, want) == 0) << i;
  }
  return missing;
}

bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") != 0; }

const Kernels kAvx2{
    .name = "avx2",
    .unpack32 = unpack_any<std::uint32_t, Avx2U32<false>>,
    .unpack64 = unpack_any<std::uint64_t, Avx2U64>,
    .unpack32_msb = unpack_any<std::uint32_t, Avx2U32<true>>,
    .pack32 = pack32_avx2,
    .pack64 = pack64_avx2,
    .pack32_msb = pack32_msb_avx2,
    .undelta32 = undelta_any<std::uint32_t, Avx2U32<false>>,
    .undelta64 = undelta_any<std::uint64_t, Avx2U64>,
    .difference32 = difference<std::uint32_t, std::int32_t>,
    .difference64 = difference<std::uint64_t, std::int64_t>,
    .survey32 = survey<std::uint32_t>,
    .survey64 = survey<std::uint64_t>,
    .unsplit = unsplit,
    .split = split,
    .alp_decode32 = alp_decode32,
    .alp_decode64 = alp_decode64_avx2,
    .alp_encode32 = alp_encode32_avx2,
    .alp_encode64 = alp_encode64_avx2,
    .key_range32 = key_range<std::int32_t>,
    .key_range64 = key_range<std::int64_t>,
    .levels = {.tally = tally_levels, .print = print},
    .text = {.lay_out = lay_out_avx2, .find_outside = find_outside, .charset = charset_avx2},
    .bloom = {.hash32 = hash32, .hash64 = hash64, .hash_arrays = hash_arrays, .missing = bloom_missing_avx2},
};

}  // namespace parqproof::kernel

#endif
