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
    const __m512i least = _mm512_min_epu32(definitions, _mm512_alignr_epi32(definitions, before, 15));
    wrong |= _mm512_mask_cmplt_epu32_mask(lanes, least, _mm512_permutexvar_epi32(repetitions, reached));
    tally.rows += number(_mm512_mask_testn_epi32_mask(lanes, repetitions, repetitions));
    tally.stored += number(_mm512_mask_cmpeq_epi32_mask(lanes, definitions, max));
    tally.null_leaves += number(_mm512_mask_cmpeq_epi32_mask(lanes, definitions, null_leaf));
    tally.elements += number(_mm512_mask_cmpge_epu32_mask(lanes, definitions, element));
    before = definitions;
  }
  tally.legal = wrong == 0;
  return tally;
}

PARQPROOF_AVX512 std::size_t find_outside_avx512(const ByteArray* values, std::size_t count,
                                                 const std::uint8_t* readable,
                                                 const PrefixRange& range) noexcept {
  static_assert(sizeof(ByteArray) == 16 && offsetof(ByteArray, data) == 0 && offsetof(ByteArray, size) == 8);
  const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  const __m512i swap =
      _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  const __m512i end = numbers(reinterpret_cast<std::uintptr_t>(readable));
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m512i low = _mm512_loadu_si512(values + i);
    const __m512i high = _mm512_loadu_si512(values + i + 4);
    const __m512i data = _mm512_permutex2var_epi64(low, even, high);
    const __m512i sizes = _mm512_and_si512(_mm512_permutex2var_epi64(low, odd, high), numbers(UINT32_MAX));
    const __mmask8 sound = _mm512_cmple_epu64_mask(_mm512_add_epi64(data, numbers(8)), end);
    const __m512i bytes = _mm512_mask_i64gather_epi64(end, sound, data, nullptr, 1);
    const __m512i first = _mm512_shuffle_epi8(bytes, swap);
    const __m512i held = _mm512_slli_epi64(_mm512_min_epu64(sizes, numbers(kPrefixBytes)), 3);
    const __m512i behind = _mm512_srlv_epi64(numbers(~std::uint64_t{0}), held);
    const __m512i key = _mm512_or_si512(_mm512_andnot_si512(behind, first),
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
