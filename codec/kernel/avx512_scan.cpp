#include "codec/kernel/fast.hpp"
#include "codec/kernel/loops.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace parqproof::kernel {
namespace {

static_assert(sizeof(ByteArray) == 16 && offsetof(ByteArray, data) == 0 && offsetof(ByteArray, size) == 8);

PARQPROOF_AVX512 inline __m512i levels(std::uint32_t level) noexcept {
  return _mm512_set1_epi32(static_cast<int>(level));
}

PARQPROOF_AVX512 inline __m512i numbers(std::uint64_t number) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(number));
}

}  // namespace

PARQPROOF_AVX512 LevelTally tally_levels_avx512(const std::uint32_t* repetition,
                                                const std::uint32_t* definition, std::size_t count,
                                                std::uint32_t previous, const LevelBounds& bounds) noexcept {
  constexpr std::size_t kLanes = 16;
  if (bounds.reached.size() > kLanes)
    return loops::tally_levels(repetition, definition, count, previous, bounds);
  const auto first = [](std::size_t lanes) { return static_cast<__mmask16>((1U << lanes) - 1); };
  const auto number = [](__mmask16 lanes) { return static_cast<std::uint64_t>(std::popcount(lanes)); };
  const __m512i reached = _mm512_maskz_loadu_epi32(first(bounds.reached.size()), bounds.reached.data());
  const __m512i max = levels(bounds.max_definition);
  const __m512i null_leaf = levels(bounds.max_definition - 1);
  const __m512i element = levels(bounds.element);
  __m512i before = levels(previous);
  LevelTally tally;
  __mmask16 wrong = 0;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const __mmask16 lanes = first(std::min(kLanes, count - i));
    const __m512i repetitions =
        repetition == nullptr ? _mm512_setzero_si512() : _mm512_maskz_loadu_epi32(lanes, repetition + i);
    const __m512i definitions = _mm512_maskz_loadu_epi32(lanes, definition + i);
    const __m512i lower = _mm512_min_epu32(definitions, _mm512_alignr_epi32(definitions, before, 15));
    wrong |= _mm512_mask_cmplt_epu32_mask(lanes, lower, _mm512_permutexvar_epi32(repetitions, reached));
    tally.rows += number(_mm512_mask_testn_epi32_mask(lanes, repetitions, repetitions));
    tally.stored += number(_mm512_mask_cmpeq_epi32_mask(lanes, definitions, max));
    tally.null_leaves += number(_mm512_mask_cmpeq_epi32_mask(lanes, definitions, null_leaf));
    tally.elements += number(_mm512_mask_cmpge_epu32_mask(lanes, definitions, element));
    before = definitions;
  }
  tally.legal = wrong == 0;
  return tally;
}

PARQPROOF_AVX512 SizeSurvey lay_out_avx512(const std::uint32_t* sizes, std::size_t count,
                                           const std::uint8_t* data, ByteArray* out) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i first_half = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i second_half = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  const __m512i last = numbers(7);
  __m512i begin = numbers(reinterpret_cast<std::uintptr_t>(data));
  __m512i bits = zero;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m512i size =
        _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(sizes + i)));
    bits = _mm512_or_si512(bits, size);
    __m512i sum = _mm512_add_epi64(size, _mm512_alignr_epi64(size, zero, 7));
    sum = _mm512_add_epi64(sum, _mm512_alignr_epi64(sum, zero, 6));
    sum = _mm512_add_epi64(sum, _mm512_alignr_epi64(sum, zero, 4));
    const __m512i begins = _mm512_add_epi64(begin, _mm512_sub_epi64(sum, size));
    begin = _mm512_add_epi64(begin, _mm512_permutexvar_epi64(last, sum));
    _mm512_storeu_si512(out + i, _mm512_permutex2var_epi64(begins, first_half, size));
    _mm512_storeu_si512(out + i + 4, _mm512_permutex2var_epi64(begins, second_half, size));
  }
  const auto next = static_cast<std::uintptr_t>(_mm_cvtsi128_si64(_mm512_castsi512_si128(begin)));
  const SizeSurvey tail =
      kPortable.text.lay_out(sizes + i, count - i, reinterpret_cast<const std::uint8_t*>(next), out + i);
  return {tail.bits | static_cast<std::uint32_t>(_mm512_reduce_or_epi64(bits)),
          tail.sum + (next - reinterpret_cast<std::uintptr_t>(data))};
}

PARQPROOF_AVX512 std::size_t find_outside_avx512(const ByteArray* values, std::size_t count,
                                                 const std::uint8_t* readable,
                                                 const PrefixRange& range) noexcept {
  const __m512i evens = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i odds = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  const __m512i swap =
      _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  const __m512i end = numbers(reinterpret_cast<std::uintptr_t>(readable));
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m512i low = _mm512_loadu_si512(values + i);
    const __m512i high = _mm512_loadu_si512(values + i + 4);
    const __m512i data = _mm512_permutex2var_epi64(low, evens, high);
    const __m512i sizes = _mm512_and_si512(_mm512_permutex2var_epi64(low, odds, high), numbers(UINT32_MAX));
    const __mmask8 sound = _mm512_cmple_epu64_mask(_mm512_add_epi64(data, numbers(8)), end);
    if (sound != 0xFF) break;
    const auto first_of = [&](std::size_t k) { return load_le<long long>(values[i + k].data); };
    const __m512i bytes = _mm512_setr_epi64(first_of(0), first_of(1), first_of(2), first_of(3), first_of(4),
                                            first_of(5), first_of(6), first_of(7));
    const __m512i first = _mm512_shuffle_epi8(bytes, swap);
    const __m512i held = _mm512_slli_epi64(_mm512_min_epu64(sizes, numbers(kPrefixBytes)), 3);
    const __m512i unused = _mm512_srlv_epi64(numbers(~std::uint64_t{0}), held);
    const __m512i key = _mm512_or_si512(_mm512_andnot_si512(unused, first),
                                        _mm512_min_epu64(sizes, numbers(kPrefixBytes + 1)));
    const __m512i flipped = _mm512_xor_si512(key, numbers(range.flip));
    const __mmask8 inside = _mm512_mask_cmple_epu64_mask(
        _mm512_mask_cmpge_epu64_mask(sound, flipped, numbers(range.low)), flipped, numbers(range.high));
    if (inside != 0xFF) return i + static_cast<std::size_t>(std::countr_one(static_cast<unsigned>(inside)));
  }
  return i + kPortable.text.find_outside(values + i, count - i, readable, range);
}

}  // namespace parqproof::kernel

#endif
