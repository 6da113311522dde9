#include "codec/base/utf8.hpp"
#include "codec/kernel/fast.hpp"
#include "codec/kernel/targets.hpp"
#include "codec/kernel/utf8_faults.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

namespace parqproof::kernel {
namespace {

constexpr std::size_t kBlock = 32;

PARQPROOF_AVX2 inline __m256i both(const std::uint8_t* table) noexcept {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table)));
}

PARQPROOF_AVX2 inline __m256i high_half(__m256i bytes) noexcept {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
}

/// Returns the 32 bytes that begin N bytes before `now`; `before` are the 32 bytes before `now`.
template <int N>
PARQPROOF_AVX2 inline __m256i bytes_before(__m256i now, __m256i before) noexcept {
  return _mm256_alignr_epi8(now, _mm256_permute2x128_si256(before, now, 0x21), 16 - N);
}

PARQPROOF_AVX2 inline __m256i faults_of(__m256i now, __m256i before) noexcept {
  const __m256i low_half = _mm256_set1_epi8(0x0F);
  const __m256i first = bytes_before<1>(now, before);
  const __m256i pairs = _mm256_and_si256(
      _mm256_and_si256(_mm256_shuffle_epi8(both(utf8::kFaults.first_high), high_half(first)),
                       _mm256_shuffle_epi8(both(utf8::kFaults.first_low), _mm256_and_si256(first, low_half))),
      _mm256_shuffle_epi8(both(utf8::kFaults.second_high), high_half(now)));
  // A byte is a second continuation if a three-byte lead is two bytes earlier, or a four-byte lead three
  // bytes earlier.
  const __m256i of_three =
      _mm256_subs_epu8(bytes_before<2>(now, before), _mm256_set1_epi8(static_cast<char>(0xE0 - 0x80)));
  const __m256i of_four =
      _mm256_subs_epu8(bytes_before<3>(now, before), _mm256_set1_epi8(static_cast<char>(0xF0 - 0x80)));
  const __m256i second =
      _mm256_and_si256(_mm256_or_si256(of_three, of_four), _mm256_set1_epi8(static_cast<char>(0x80)));
  return _mm256_xor_si256(second, pairs);
}

PARQPROOF_AVX2 inline __m256i block(const std::uint8_t* bytes) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

PARQPROOF_AVX2 inline bool is_ascii_by_four(const std::uint8_t* bytes) noexcept {
  const __m256i any = _mm256_or_si256(_mm256_or_si256(block(bytes), block(bytes + 32)),
                                      _mm256_or_si256(block(bytes + 64), block(bytes + 96)));
  return _mm256_movemask_epi8(any) == 0;
}

}  // namespace

PARQPROOF_AVX2 Charset charset_avx2(const std::uint8_t* bytes, std::size_t count) noexcept {
  __m256i before = _mm256_setzero_si256();
  __m256i faults = _mm256_setzero_si256();
  __m256i all = _mm256_setzero_si256();  // union of the bytes that were looked up
  std::size_t at = 0;
  bool ascii = true;  // in the blocks so far, and no character continues into the next block
  while (at + kBlock <= count) {
    if (ascii) {
      while (at + 4 * kBlock <= count && is_ascii_by_four(bytes + at)) at += 4 * kBlock;
      before = _mm256_setzero_si256();
    }
    __m256i any = _mm256_setzero_si256();
    for (std::size_t left = std::min(utf8::kBlocksAtOnce, (count - at) / kBlock); left > 0; --left) {
      const __m256i now = block(bytes + at);
      faults = _mm256_or_si256(faults, faults_of(now, before));
      any = _mm256_or_si256(any, now);
      before = now;
      at += kBlock;
    }
    ascii = _mm256_movemask_epi8(any) == 0;
    all = _mm256_or_si256(all, any);
  }
  if (_mm256_testz_si256(faults, faults) == 0) return Charset::none;
  // The remaining bytes, from the beginning of the character that continues into them.
  std::size_t from = at;
  for (std::size_t back = 0; back < 3 && from > 0 && (bytes[from - 1] & 0xC0) == 0x80; ++back) --from;
  if (from > 0 && bytes[from - 1] >= 0xC0) --from;
  const std::span<const std::uint8_t> rest(bytes + from, count - from);
  if (utf8_error(rest) != rest.size()) return Charset::none;
  return _mm256_movemask_epi8(all) == 0 && is_ascii(rest) ? Charset::ascii : Charset::utf8;
}

}  // namespace parqproof::kernel

#endif
