#include "codec/kernel/bloom_bits.hpp"
#include "codec/kernel/fast.hpp"
#include "codec/kernel/loops.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>

/// Hashes of eight values in parallel, and fingerprints of eight pairs of levels.
namespace parqproof::kernel {
namespace {

using xxhash::kPrime1;
using xxhash::kPrime2;
using xxhash::kPrime3;
using xxhash::kPrime4;
using xxhash::kPrime5;

PARQPROOF_AVX512 inline __m512i number(std::uint64_t value) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(value));
}
PARQPROOF_AVX512 inline __m512i times(__m512i values, std::uint64_t factor) noexcept {
  return _mm512_mullo_epi64(values, number(factor));
}
PARQPROOF_AVX512 inline __m512i mix(__m512i lanes, __m512i words) noexcept {
  return times(_mm512_rol_epi64(_mm512_add_epi64(lanes, times(words, kPrime2)), 31), kPrime1);
}
PARQPROOF_AVX512 inline __m512i merge(__m512i hash, __m512i lane) noexcept {
  const __m512i mixed = mix(_mm512_setzero_si512(), lane);
  return _mm512_add_epi64(times(_mm512_xor_si512(hash, mixed), kPrime1), number(kPrime4));
}
PARQPROOF_AVX512 inline __m512i words_at(__mmask8 which, __m512i at) noexcept {
  return _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), which, at, nullptr, 1);
}
PARQPROOF_AVX512 inline __m512i half_words_at(__mmask8 which, __m512i at) noexcept {
  return _mm512_cvtepu32_epi64(_mm512_mask_i64gather_epi32(_mm256_setzero_si256(), which, at, nullptr, 1));
}

/// State of eight values: address of the next byte, bytes left, and hash so far.
struct Eight {
  __m512i at;
  __m512i left;
  __m512i hash;

  PARQPROOF_AVX512 void pass(__mmask8 which, std::uint64_t bytes) noexcept {
    at = _mm512_mask_add_epi64(at, which, at, number(bytes));
    left = _mm512_mask_sub_epi64(left, which, left, number(bytes));
  }
  [[nodiscard]] PARQPROOF_AVX512 __mmask8 with(std::uint64_t bytes) const noexcept {
    return _mm512_cmpge_epu64_mask(left, number(bytes));
  }
};

/// Adds the stripes of 32 bytes.
PARQPROOF_AVX512 inline void stripes(Eight& values) noexcept {
  constexpr std::uint64_t kStripe = 32;
  const __mmask8 all = values.with(kStripe);
  if (all == 0) return;
  __m512i lanes[4] = {number(kPrime1 + kPrime2), number(kPrime2), number(0), number(0 - kPrime1)};
  for (__mmask8 which = all; which != 0; which = values.with(kStripe)) {
    for (std::size_t k = 0; k < 4; ++k) {
      const __m512i words = words_at(which, _mm512_add_epi64(values.at, number(8 * k)));
      lanes[k] = _mm512_mask_mov_epi64(lanes[k], which, mix(lanes[k], words));
    }
    values.pass(which, kStripe);
  }
  __m512i hash =
      _mm512_add_epi64(_mm512_add_epi64(_mm512_rol_epi64(lanes[0], 1), _mm512_rol_epi64(lanes[1], 7)),
                       _mm512_add_epi64(_mm512_rol_epi64(lanes[2], 12), _mm512_rol_epi64(lanes[3], 18)));
  for (const __m512i lane : lanes) hash = merge(hash, lane);
  values.hash = _mm512_mask_mov_epi64(values.hash, all, hash);
}

/// Adds the bytes after the stripes: words of 8 bytes, one of 4, and single bytes, which are the last ones of
/// the 4 bytes before `end`.
PARQPROOF_AVX512 inline void rest(Eight& values, __m512i end, __mmask8 large) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  for (int k = 0; k < 3; ++k) {
    const __mmask8 which = values.with(8);
    const __m512i mixed = _mm512_xor_si512(values.hash, mix(zero, words_at(which, values.at)));
    const __m512i next = _mm512_add_epi64(times(_mm512_rol_epi64(mixed, 27), kPrime1), number(kPrime4));
    values.hash = _mm512_mask_mov_epi64(values.hash, which, next);
    values.pass(which, 8);
  }
  const __mmask8 halves = values.with(4);
  const __m512i mixed = _mm512_xor_si512(values.hash, times(half_words_at(halves, values.at), kPrime1));
  const __m512i next = _mm512_add_epi64(times(_mm512_rol_epi64(mixed, 23), kPrime2), number(kPrime3));
  values.hash = _mm512_mask_mov_epi64(values.hash, halves, next);
  values.pass(halves, 4);
  const __m512i last = half_words_at(values.with(1) & large, _mm512_sub_epi64(end, number(4)));
  __m512i bytes = _mm512_srlv_epi64(last, _mm512_slli_epi64(_mm512_sub_epi64(number(4), values.left), 3));
  for (std::uint64_t k = 1; k <= 3; ++k) {
    const __m512i byte = times(_mm512_and_si512(bytes, number(0xFF)), kPrime5);
    const __m512i turned = _mm512_rol_epi64(_mm512_xor_si512(values.hash, byte), 11);
    values.hash = _mm512_mask_mov_epi64(values.hash, values.with(k), times(turned, kPrime1));
    bytes = _mm512_srli_epi64(bytes, 8);
  }
}

PARQPROOF_AVX512 inline __m512i avalanche(__m512i hash) noexcept {
  hash = times(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 33)), kPrime2);
  hash = times(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 29)), kPrime3);
  return _mm512_xor_si512(hash, _mm512_srli_epi64(hash, 32));
}

/// base^count, modulo 2^64.
std::uint64_t power(std::uint64_t base, std::size_t count) noexcept {
  std::uint64_t out = 1;
  for (; count != 0; count /= 2, base *= base) out *= count % 2 != 0 ? base : 1;
  return out;
}

/// Adds codes to a polynomial, every 32nd in a lane of its own, so that four products are independent of each
/// other; a product has a long latency on some processors.
class Lanes {
 public:
  static constexpr std::size_t kCodes = 32;

  PARQPROOF_AVX512 explicit Lanes(std::uint64_t base) noexcept
      : base_(base), step_(number(power(base, kCodes))) {
    for (__m512i& sum : sums_) sum = _mm512_setzero_si512();
  }
  PARQPROOF_AVX512 void add(const std::uint64_t* codes) noexcept {
    for (std::size_t k = 0; k < 4; ++k)
      sums_[k] = _mm512_add_epi64(_mm512_mullo_epi64(sums_[k], step_), _mm512_loadu_si512(codes + 8 * k));
  }
  /// Returns the polynomial `value` with `count` codes appended.
  [[nodiscard]] PARQPROOF_AVX512 std::uint64_t appended_to(std::uint64_t value,
                                                           std::size_t count) const noexcept {
    alignas(64) std::uint64_t lanes[kCodes];
    for (std::size_t k = 0; k < 4; ++k) _mm512_store_si512(lanes + 8 * k, sums_[k]);
    value *= power(base_, count);
    return value + loops::add_codes(0, base_, lanes, kCodes);
  }

 private:
  std::uint64_t base_;
  __m512i step_;
  __m512i sums_[4];
};

PARQPROOF_AVX512 void add_codes(LevelPrint& print, const std::uint64_t* codes, std::size_t count) noexcept {
  const std::size_t vectorized = count / Lanes::kCodes * Lanes::kCodes;
  if (vectorized != 0) {
    Lanes first(LevelPrint::kFirstBase);
    Lanes second(LevelPrint::kSecondBase);
    for (std::size_t i = 0; i < vectorized; i += Lanes::kCodes) {
      first.add(codes + i);
      second.add(codes + i);
    }
    print = {first.appended_to(print.first, vectorized), second.appended_to(print.second, vectorized)};
  }
  print = {loops::add_codes(print.first, LevelPrint::kFirstBase, codes + vectorized, count - vectorized),
           loops::add_codes(print.second, LevelPrint::kSecondBase, codes + vectorized, count - vectorized)};
}

}  // namespace

PARQPROOF_AVX512 void hash32_avx512(const std::uint8_t* values, std::size_t count,
                                    std::uint64_t* out) noexcept {
  loops::hash<std::uint32_t>(values, count, out);
}

PARQPROOF_AVX512 void hash64_avx512(const std::uint8_t* values, std::size_t count,
                                    std::uint64_t* out) noexcept {
  loops::hash<std::uint64_t>(values, count, out);
}

PARQPROOF_AVX512 void hash_arrays_avx512(const ByteArray* values, std::size_t count,
                                         std::uint64_t* out) noexcept {
  static_assert(sizeof(ByteArray) == 16 && offsetof(ByteArray, data) == 0 && offsetof(ByteArray, size) == 8);
  const __m512i evens = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i odds = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m512i low = _mm512_loadu_si512(values + i);
    const __m512i high = _mm512_loadu_si512(values + i + 4);
    const __m512i sizes = _mm512_and_si512(_mm512_permutex2var_epi64(low, odds, high), number(UINT32_MAX));
    Eight eight{_mm512_permutex2var_epi64(low, evens, high), sizes, number(kPrime5)};
    const __m512i end = _mm512_add_epi64(eight.at, sizes);
    const __mmask8 large = eight.with(4);
    stripes(eight);
    eight.hash = _mm512_add_epi64(eight.hash, sizes);
    rest(eight, end, large);
    _mm512_storeu_si512(out + i, avalanche(eight.hash));
    for (unsigned small = ~unsigned{large} & 0xFF; small != 0; small &= small - 1) {
      const std::size_t k = i + static_cast<std::size_t>(std::countr_zero(small));
      kPortable.bloom.hash_arrays(values + k, 1, out + k);
    }
  }
  kPortable.bloom.hash_arrays(values + i, count - i, out + i);
}

PARQPROOF_AVX512 void print_avx512(const std::uint32_t* repetition, const std::uint32_t* definition,
                                   std::size_t count, const LevelProjection& ancestor,
                                   LevelPrint& print) noexcept {
  alignas(64) std::uint64_t codes[loops::kCodes + 8];
  const __m512i most_repetition = number(ancestor.repetition);
  const __m512i most_definition = number(ancestor.definition);
  for (std::size_t from = 0; from < count; from += loops::kCodes) {
    const std::size_t until = std::min(count, from + loops::kCodes);
    std::size_t kept = 0;
    for (std::size_t i = from; i < until; i += 8) {
      const auto lanes = static_cast<__mmask8>((1U << std::min<std::size_t>(8, until - i)) - 1);
      const __m512i repetitions = _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(lanes, repetition + i));
      const __m512i definitions = _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(lanes, definition + i));
      const __m512i pairs =
          _mm512_or_si512(_mm512_slli_epi64(repetitions, 32), _mm512_min_epu64(definitions, most_definition));
      const __mmask8 mine = _mm512_mask_cmple_epu64_mask(lanes, repetitions, most_repetition);
      _mm512_storeu_si512(codes + kept, _mm512_maskz_compress_epi64(mine, pairs));
      kept += static_cast<std::size_t>(std::popcount(mine));
    }
    add_codes(print, codes, kept);
  }
}

}  // namespace parqproof::kernel

#endif
