#include "codec/kernel/fast.hpp"
#include "codec/kernel/loops.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

namespace parqproof::kernel {
namespace {

constexpr double kTwo51 = 0x1p51;
constexpr double kMagic =
    0x1.8p52;  // added to a number below 2^51, it moves the integer part into the low bits

/// Bits of a double whose low bits are a signed integer of less than 52 bits.
PARQPROOF_AVX2 inline __m256i magic_bits() noexcept { return _mm256_castpd_si256(_mm256_set1_pd(kMagic)); }

/// Converts with a single rounding: the upper half is exact, so only the sum of the halves is rounded.
PARQPROOF_AVX2 inline __m256d to_double(__m256i integers) noexcept {
  const __m256i lower_magic = _mm256_castpd_si256(_mm256_set1_pd(0x1p52));
  const __m256d both_magic = _mm256_set1_pd(0x1p84 + 0x1p63 + 0x1p52);
  const __m256i sign = _mm256_set1_epi64x(0x8000'0000LL);
  const __m256i upper = _mm256_xor_si256(_mm256_srli_epi64(integers, 32),
                                         _mm256_xor_si256(_mm256_castpd_si256(_mm256_set1_pd(0x1p84)), sign));
  const __m256i lower = _mm256_blend_epi32(lower_magic, integers, 0x55);
  const __m256d exact = _mm256_sub_pd(_mm256_castsi256_pd(upper), both_magic);
  return _mm256_add_pd(exact, _mm256_castsi256_pd(lower));
}

/// Sets exact[i] to 1 for each bit i that is set in the mask, else to 0.
inline void put_exact(unsigned mask, unsigned count, std::uint8_t* exact) noexcept {
  for (unsigned k = 0; k < count; ++k) exact[k] = static_cast<std::uint8_t>(mask >> k & 1);
}

}  // namespace

PARQPROOF_AVX2 void alp_decode64_avx2(const std::uint64_t* integers, std::size_t count,
                                      std::uint64_t reference, const AlpScale<double>& scale,
                                      double* out) noexcept {
  const __m256i references = _mm256_set1_epi64x(static_cast<long long>(reference));
  const __m256d up = _mm256_set1_pd(scale.back_up);
  const __m256d down = _mm256_set1_pd(scale.back_down);
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256i loaded = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(integers + i));
    const __m256d numbers = to_double(_mm256_add_epi64(loaded, references));
    _mm256_storeu_pd(out + i, _mm256_mul_pd(_mm256_mul_pd(numbers, up), down));
  }
  loops::alp_decode(integers + i, count - i, reference, scale, out + i);
}

PARQPROOF_AVX2 AlpFit<std::int32_t> alp_encode32_avx2(const float* values, std::size_t count,
                                                      const AlpScale<float>& scale, std::int32_t* integers,
                                                      std::uint8_t* exact) noexcept {
  AlpFit<std::int32_t> fit;
  __m256i min = _mm256_set1_epi32(fit.range.min);
  __m256i max = _mm256_set1_epi32(fit.range.max);
  const __m256 limit = _mm256_set1_ps(0x1p31F);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 numbers = _mm256_loadu_ps(values + i);
    const __m256 product =
        _mm256_mul_ps(_mm256_mul_ps(numbers, _mm256_set1_ps(scale.up)), _mm256_set1_ps(scale.down));
    const __m256 scaled = _mm256_round_ps(product, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
    const __m256 inside =
        _mm256_and_ps(_mm256_cmp_ps(scaled, _mm256_sub_ps(_mm256_setzero_ps(), limit), _CMP_GE_OQ),
                      _mm256_cmp_ps(scaled, limit, _CMP_LT_OQ));
    const __m256i found = _mm256_cvttps_epi32(scaled);
    const __m256 back = _mm256_mul_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(found), _mm256_set1_ps(scale.back_up)),
                                      _mm256_set1_ps(scale.back_down));
    const __m256i same = _mm256_cmpeq_epi32(_mm256_castps_si256(back), _mm256_castps_si256(numbers));
    const __m256i good = _mm256_and_si256(same, _mm256_castps_si256(inside));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(integers + i), _mm256_and_si256(found, good));
    min = _mm256_blendv_epi8(min, _mm256_min_epi32(min, found), good);
    max = _mm256_blendv_epi8(max, _mm256_max_epi32(max, found), good);
    const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(good)));
    fit.exact += static_cast<unsigned>(std::popcount(mask));
    put_exact(mask, 8, exact + i);
  }
  alignas(32) std::int32_t mins[8];
  alignas(32) std::int32_t maxs[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(mins), min);
  _mm256_store_si256(reinterpret_cast<__m256i*>(maxs), max);
  for (const std::int32_t each : mins) fit.range.min = each < fit.range.min ? each : fit.range.min;
  for (const std::int32_t each : maxs) fit.range.max = each > fit.range.max ? each : fit.range.max;
  for (; i < count; ++i) loops::alp_encode_one(values[i], scale, integers[i], exact[i], fit);
  return fit;
}

PARQPROOF_AVX2 AlpFit<std::int64_t> alp_encode64_avx2(const double* values, std::size_t count,
                                                      const AlpScale<double>& scale, std::int64_t* integers,
                                                      std::uint8_t* exact) noexcept {
  AlpFit<std::int64_t> fit;
  __m256i min = _mm256_set1_epi64x(fit.range.min);
  __m256i max = _mm256_set1_epi64x(fit.range.max);
  const __m256d magic = _mm256_set1_pd(kMagic);
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256d numbers = _mm256_loadu_pd(values + i);
    const __m256d product =
        _mm256_mul_pd(_mm256_mul_pd(numbers, _mm256_set1_pd(scale.up)), _mm256_set1_pd(scale.down));
    const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), product);
    const __m256d small = _mm256_cmp_pd(size, _mm256_set1_pd(kTwo51), _CMP_LT_OQ);
    if (_mm256_movemask_pd(small) != 0xF) {  // also true for NaN
      for (std::size_t k = i; k < i + 4; ++k)
        loops::alp_encode_one(values[k], scale, integers[k], exact[k], fit);
      continue;
    }
    const __m256i found = _mm256_sub_epi64(_mm256_castpd_si256(_mm256_add_pd(product, magic)), magic_bits());
    const __m256d rounded = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_add_epi64(found, magic_bits())), magic);
    const __m256d back =
        _mm256_mul_pd(_mm256_mul_pd(rounded, _mm256_set1_pd(scale.back_up)), _mm256_set1_pd(scale.back_down));
    const __m256i good = _mm256_cmpeq_epi64(_mm256_castpd_si256(back), _mm256_castpd_si256(numbers));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(integers + i), _mm256_and_si256(found, good));
    min = _mm256_blendv_epi8(min, found, _mm256_and_si256(good, _mm256_cmpgt_epi64(min, found)));
    max = _mm256_blendv_epi8(max, found, _mm256_and_si256(good, _mm256_cmpgt_epi64(found, max)));
    const auto mask = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(good)));
    fit.exact += static_cast<unsigned>(std::popcount(mask));
    put_exact(mask, 4, exact + i);
  }
  alignas(32) std::int64_t mins[4];
  alignas(32) std::int64_t maxs[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(mins), min);
  _mm256_store_si256(reinterpret_cast<__m256i*>(maxs), max);
  for (const std::int64_t each : mins) fit.range.min = each < fit.range.min ? each : fit.range.min;
  for (const std::int64_t each : maxs) fit.range.max = each > fit.range.max ? each : fit.range.max;
  for (; i < count; ++i) loops::alp_encode_one(values[i], scale, integers[i], exact[i], fit);
  return fit;
}

}  // namespace parqproof::kernel

#endif
