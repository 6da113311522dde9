#include "codec/base/utf8.hpp"
#include "codec/kernel/fast.hpp"
#include "codec/kernel/targets.hpp"
#include "codec/kernel/utf8_faults.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

namespace parqproof::kernel {
namespace {

constexpr std::size_t kBlock = 64;

PARQPROOF_AVX512 inline __m512i block(const std::uint8_t* bytes) noexcept {
  return _mm512_loadu_si512(bytes);
}

PARQPROOF_AVX512 inline bool is_ascii(__m512i bytes) noexcept { return _mm512_movepi8_mask(bytes) == 0; }

PARQPROOF_AVX512 inline bool is_ascii_by_four(const std::uint8_t* bytes) noexcept {
  return is_ascii(_mm512_or_si512(_mm512_or_si512(block(bytes), block(bytes + 64)),
                                  _mm512_or_si512(block(bytes + 128), block(bytes + 192))));
}

PARQPROOF_AVX512 inline __m512i in_four(const std::uint8_t* table) noexcept {
  return _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(table)));
}

PARQPROOF_AVX512 inline __m512i low_half(__m512i bytes) noexcept {
  return _mm512_and_si512(bytes, _mm512_set1_epi8(0x0F));
}

/// Returns nonzero where a byte of `now` is at fault. The other vectors are the bytes one, two and three
/// positions earlier.
PARQPROOF_AVX512 inline __m512i faults_of(__m512i now, __m512i one, __m512i two, __m512i three) noexcept {
  const __m512i first_high =
      _mm512_shuffle_epi8(in_four(utf8::kFaults.first_high), low_half(_mm512_srli_epi16(one, 4)));
  const __m512i first_low = _mm512_shuffle_epi8(in_four(utf8::kFaults.first_low), low_half(one));
  const __m512i second_high =
      _mm512_shuffle_epi8(in_four(utf8::kFaults.second_high), low_half(_mm512_srli_epi16(now, 4)));
  const __m512i pairs = _mm512_and_si512(_mm512_and_si512(first_high, first_low), second_high);
  // A byte is a second continuation if a three-byte lead is two bytes earlier, or a four-byte lead three
  // bytes earlier.
  const __m512i of_three = _mm512_subs_epu8(two, _mm512_set1_epi8(static_cast<char>(0xE0 - 0x80)));
  const __m512i of_four = _mm512_subs_epu8(three, _mm512_set1_epi8(static_cast<char>(0xF0 - 0x80)));
  const __m512i second =
      _mm512_and_si512(_mm512_or_si512(of_three, of_four), _mm512_set1_epi8(static_cast<char>(0x80)));
  return _mm512_xor_si512(second, pairs);
}

/// Same as faults_of() for the block at `at`; bytes outside of the text are read as zeros.
PARQPROOF_AVX512 inline __m512i faults_at_an_end(const std::uint8_t* bytes, std::size_t count,
                                                 std::size_t at) noexcept {
  const auto from = [&](std::size_t back) {
    const std::size_t none = at < back ? back - at : 0;  // lanes before the text
    const std::size_t end = std::min(kBlock, count - at + back);
    __mmask64 lanes = end == kBlock ? ~__mmask64{0} : (__mmask64{1} << end) - 1;
    lanes &= ~__mmask64{0} << none;
    return lanes;
  };
  const auto load = [&](std::size_t back) PARQPROOF_AVX512 {
    // An integer instead of a pointer: the address may be before the text, where no lane is loaded.
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(bytes) + at - back;
    return _mm512_maskz_loadu_epi8(from(back), reinterpret_cast<const void*>(begin));
  };
  return faults_of(load(0), load(1), load(2), load(3));
}

}  // namespace

PARQPROOF_AVX512 Charset charset_avx512(const std::uint8_t* bytes, std::size_t count) noexcept {
  __m512i faults = _mm512_setzero_si512();
  __m512i all = _mm512_setzero_si512();  // union of the bytes that were looked up
  std::size_t at = 0;
  bool ascii = true;  // in the blocks so far, and no character continues into the next block
  while (at + kBlock <= count) {
    if (ascii) {
      while (at + 4 * kBlock <= count && is_ascii_by_four(bytes + at)) at += 4 * kBlock;
      if (at + kBlock > count) break;
    }
    __m512i any = _mm512_setzero_si512();
    std::size_t left = std::min(utf8::kBlocksAtOnce, (count - at) / kBlock);
    if (at == 0) {
      faults = faults_at_an_end(bytes, count, at);
      any = block(bytes);
      at += kBlock;
      --left;
    }
    for (; left > 0; --left, at += kBlock) {
      const __m512i now = block(bytes + at);
      const std::uint8_t* const here = bytes + at;
      faults = _mm512_or_si512(faults, faults_of(now, block(here - 1), block(here - 2), block(here - 3)));
      any = _mm512_or_si512(any, now);
    }
    ascii = is_ascii(any);
    all = _mm512_or_si512(all, any);
  }
  // The last block is never full, so a truncated character is followed by a zero.
  faults = _mm512_or_si512(faults, faults_at_an_end(bytes, count, at));
  if (_mm512_test_epi8_mask(faults, faults) != 0) return Charset::none;
  return is_ascii(all) && parqproof::is_ascii({bytes + at, count - at}) ? Charset::ascii : Charset::utf8;
}

}  // namespace parqproof::kernel

#endif
