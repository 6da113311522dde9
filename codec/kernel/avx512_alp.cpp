#include "codec/kernel/fast.hpp"
#include "codec/kernel/loops.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

namespace parqproof::kernel {

PARQPROOF_AVX512 AlpFit<std::int32_t> alp_encode32_avx512(const float* values, std::size_t count,
                                                          const AlpScale<float>& scale,
                                                          std::int32_t* integers,
                                                          std::uint8_t* exact) noexcept {
  AlpFit<std::int32_t> fit;
  __m512i min = _mm512_set1_epi32(fit.range.min);
  __m512i max = _mm512_set1_epi32(fit.range.max);
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512 numbers = _mm512_loadu_ps(values + i);
    const __m512 product =
        _mm512_mul_ps(_mm512_mul_ps(numbers, _mm512_set1_ps(scale.up)), _mm512_set1_ps(scale.down));
    const __m512 scaled = _mm512_roundscale_ps(product, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
    const __mmask16 inside = _mm512_cmp_ps_mask(scaled, _mm512_set1_ps(-0x1p31F), _CMP_GE_OQ) &
                             _mm512_cmp_ps_mask(scaled, _mm512_set1_ps(0x1p31F), _CMP_LT_OQ);
    const __m512i found = _mm512_cvttps_epi32(scaled);
    const __m512 back = _mm512_mul_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(found), _mm512_set1_ps(scale.back_up)),
                                      _mm512_set1_ps(scale.back_down));
    const __mmask16 good =
        _mm512_mask_cmpeq_epi32_mask(inside, _mm512_castps_si512(back), _mm512_castps_si512(numbers));
    _mm512_storeu_si512(integers + i, _mm512_maskz_mov_epi32(good, found));
    min = _mm512_mask_min_epi32(min, good, min, found);
    max = _mm512_mask_max_epi32(max, good, max, found);
    fit.exact += static_cast<unsigned>(std::popcount(static_cast<unsigned>(good)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(exact + i), _mm_maskz_set1_epi8(good, 1));
  }
  fit.range = {_mm512_reduce_min_epi32(min), _mm512_reduce_max_epi32(max)};
  for (; i < count; ++i) loops::alp_encode_one(values[i], scale, integers[i], exact[i], fit);
  return fit;
}

PARQPROOF_AVX512 AlpFit<std::int64_t> alp_encode64_avx512(const double* values, std::size_t count,
                                                          const AlpScale<double>& scale,
                                                          std::int64_t* integers,
                                                          std::uint8_t* exact) noexcept {
  AlpFit<std::int64_t> fit;
  __m512i min = _mm512_set1_epi64(fit.range.min);
  __m512i max = _mm512_set1_epi64(fit.range.max);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m512d numbers = _mm512_loadu_pd(values + i);
    const __m512d product =
        _mm512_mul_pd(_mm512_mul_pd(numbers, _mm512_set1_pd(scale.up)), _mm512_set1_pd(scale.down));
    const __m512d scaled = _mm512_roundscale_pd(product, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
    const __mmask8 inside = _mm512_cmp_pd_mask(scaled, _mm512_set1_pd(-0x1p63), _CMP_GE_OQ) &
                            _mm512_cmp_pd_mask(scaled, _mm512_set1_pd(0x1p63), _CMP_LT_OQ);
    const __m512i found = _mm512_cvttpd_epi64(scaled);
    const __m512d back =
        _mm512_mul_pd(_mm512_mul_pd(_mm512_cvtepi64_pd(found), _mm512_set1_pd(scale.back_up)),
                      _mm512_set1_pd(scale.back_down));
    const __mmask8 good =
        _mm512_mask_cmpeq_epi64_mask(inside, _mm512_castpd_si512(back), _mm512_castpd_si512(numbers));
    _mm512_storeu_si512(integers + i, _mm512_maskz_mov_epi64(good, found));
    min = _mm512_mask_min_epi64(min, good, min, found);
    max = _mm512_mask_max_epi64(max, good, max, found);
    fit.exact += static_cast<unsigned>(std::popcount(static_cast<unsigned>(good)));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(exact + i), _mm_maskz_set1_epi8(good, 1));
  }
  fit.range = {_mm512_reduce_min_epi64(min), _mm512_reduce_max_epi64(max)};
  for (; i < count; ++i) loops::alp_encode_one(values[i], scale, integers[i], exact[i], fit);
  return fit;
}

}  // namespace parqproof::kernel

#endif
