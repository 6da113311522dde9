#include "codec/kernel/fast.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstddef>

namespace parqproof::kernel {

PARQPROOF_AVX2 SizeSurvey lay_out_avx2(const std::uint32_t* sizes, std::size_t count,
                                       const std::uint8_t* data, ByteArray* out) noexcept {
  static_assert(sizeof(ByteArray) == 16 && offsetof(ByteArray, data) == 0 && offsetof(ByteArray, size) == 8);
  __m256i begin = _mm256_set1_epi64x(static_cast<long long>(reinterpret_cast<std::uintptr_t>(data)));
  __m256i bits = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256i size = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sizes + i)));
    bits = _mm256_or_si256(bits, size);
    const __m256i pairs = _mm256_add_epi64(size, _mm256_slli_si256(size, 8));
    // The upper pair begins after the lower one.
    const __m256i lower =
        _mm256_blend_epi32(_mm256_setzero_si256(), _mm256_permute4x64_epi64(pairs, 0x55), 0xF0);
    const __m256i sum = _mm256_add_epi64(pairs, lower);
    const __m256i begins = _mm256_add_epi64(begin, _mm256_sub_epi64(sum, size));
    begin = _mm256_add_epi64(begin, _mm256_permute4x64_epi64(sum, 0xFF));
    const __m256i evens = _mm256_unpacklo_epi64(begins, size);
    const __m256i odds = _mm256_unpackhi_epi64(begins, size);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_permute2x128_si256(evens, odds, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i + 2),
                        _mm256_permute2x128_si256(evens, odds, 0x31));
  }
  const auto next = static_cast<std::uintptr_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(begin)));
  const __m128i half = _mm_or_si128(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
  const SizeSurvey tail =
      kPortable.text.lay_out(sizes + i, count - i, reinterpret_cast<const std::uint8_t*>(next), out + i);
  return {tail.bits | static_cast<std::uint32_t>(_mm_cvtsi128_si32(half)) |
              static_cast<std::uint32_t>(_mm_extract_epi32(half, 2)),
          tail.sum + (next - reinterpret_cast<std::uintptr_t>(data))};
}

}  // namespace parqproof::kernel

#endif
