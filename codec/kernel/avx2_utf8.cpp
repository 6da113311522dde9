#include "codec/base/utf8.hpp"
#include "codec/kernel/fast.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#define PARQPROOF_AVX2 __attribute__((target("avx2")))

/// UTF-8 by table look-ups, 32 bytes at a time: the algorithm of Keiser and Lemire ("Validating UTF-8 in less
/// than one instruction per byte"). Each pair of neighbouring bytes can be at fault in a few ways. The high
/// half of the first byte, its low half, and the high half of the second byte each allow some of these ways;
/// what all three allow is a fault. Continuations of three and four bytes reach further and are counted
/// apart.
namespace parqproof::kernel {
namespace {

// The ways in which two bytes can be at fault.
constexpr std::uint8_t kTooShort = 1 << 0;      // a lead without its continuation
constexpr std::uint8_t kTooLong = 1 << 1;       // a continuation behind ASCII
constexpr std::uint8_t kOverlong3 = 1 << 2;     // E0, and less than A0
constexpr std::uint8_t kTooLarge = 1 << 3;      // F4, and more than 8F; or F5 and above
constexpr std::uint8_t kSurrogate = 1 << 4;     // ED, and more than 9F
constexpr std::uint8_t kOverlong2 = 1 << 5;     // C0 or C1
constexpr std::uint8_t kTooLarge1000 = 1 << 6;  // F5 and above, and 80 to 8F
constexpr std::uint8_t kOverlong4 = 1 << 6;     // F0, and 80 to 8F
constexpr std::uint8_t kTwoContinuations = 1 << 7;
constexpr std::uint8_t kAnyLow = kTooShort | kTooLong | kTwoContinuations;  // whatever the low half is

struct Halves {
  alignas(16) std::uint8_t first_high[16];
  alignas(16) std::uint8_t first_low[16];
  alignas(16) std::uint8_t second_high[16];
};
constexpr Halves kFaults = [] {
  Halves faults{};
  for (unsigned i = 0; i < 16; ++i) {
    std::uint8_t& high = faults.first_high[i];
    if (i < 0x8) high = kTooLong;
    if (i >= 0x8 && i < 0xC) high = kTwoContinuations;
    if (i == 0xC) high = kTooShort | kOverlong2;
    if (i == 0xD) high = kTooShort;
    if (i == 0xE) high = kTooShort | kOverlong3 | kSurrogate;
    if (i == 0xF) high = kTooShort | kTooLarge | kTooLarge1000 | kOverlong4;

    std::uint8_t& low = faults.first_low[i];
    low = kAnyLow;
    if (i == 0x0) low = kAnyLow | kOverlong3 | kOverlong2 | kOverlong4;
    if (i == 0x1) low = kAnyLow | kOverlong2;
    if (i == 0x4) low = kAnyLow | kTooLarge;
    if (i >= 0x5) low = kAnyLow | kTooLarge | kTooLarge1000;
    if (i == 0xD) low = kAnyLow | kTooLarge | kTooLarge1000 | kSurrogate;

    std::uint8_t& second = faults.second_high[i];
    second = kTooShort;
    if (i == 0x8)
      second = kTooLong | kOverlong2 | kTwoContinuations | kOverlong3 | kTooLarge1000 | kOverlong4;
    if (i == 0x9) second = kTooLong | kOverlong2 | kTwoContinuations | kOverlong3 | kTooLarge;
    if (i == 0xA || i == 0xB) second = kTooLong | kOverlong2 | kTwoContinuations | kSurrogate | kTooLarge;
  }
  return faults;
}();

PARQPROOF_AVX2 inline __m256i both(const std::uint8_t* table) noexcept {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table)));
}

PARQPROOF_AVX2 inline __m256i high_half(__m256i bytes) noexcept {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
}

/// The 32 bytes that begin N before `now`; `before` are those in front of `now`.
template <int N>
PARQPROOF_AVX2 inline __m256i bytes_before(__m256i now, __m256i before) noexcept {
  return _mm256_alignr_epi8(now, _mm256_permute2x128_si256(before, now, 0x21), 16 - N);
}

PARQPROOF_AVX2 inline __m256i faults_of(__m256i now, __m256i before) noexcept {
  const __m256i low_half = _mm256_set1_epi8(0x0F);
  const __m256i first = bytes_before<1>(now, before);
  const __m256i pairs = _mm256_and_si256(
      _mm256_and_si256(_mm256_shuffle_epi8(both(kFaults.first_high), high_half(first)),
                       _mm256_shuffle_epi8(both(kFaults.first_low), _mm256_and_si256(first, low_half))),
      _mm256_shuffle_epi8(both(kFaults.second_high), high_half(now)));
  // A byte is a second continuation where a lead of three bytes stands two in front, or one of four three.
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

PARQPROOF_AVX2 bool is_utf8_avx2(const std::uint8_t* bytes, std::size_t count) noexcept {
  constexpr std::size_t kBlock = 32;
  __m256i before = _mm256_setzero_si256();
  __m256i faults = _mm256_setzero_si256();
  std::size_t at = 0;
  bool ascii = true;  // the block before is
  for (; at + kBlock <= count; at += kBlock) {
    if (ascii) {  // nothing reaches into what comes next
      for (; at + 4 * kBlock <= count && is_ascii_by_four(bytes + at); at += 4 * kBlock) {
      }
      if (at + kBlock > count) break;
      before = _mm256_setzero_si256();
    }
    const __m256i now = block(bytes + at);
    const bool is_ascii = _mm256_movemask_epi8(now) == 0;
    if (!is_ascii || !ascii) faults = _mm256_or_si256(faults, faults_of(now, before));
    ascii = is_ascii;
    before = now;
  }
  if (_mm256_testz_si256(faults, faults) == 0) return false;
  // What is left over, from the beginning of the character that reaches into it.
  std::size_t from = at;
  for (std::size_t back = 0; back < 3 && from > 0 && (bytes[from - 1] & 0xC0) == 0x80; ++back) --from;
  if (from > 0 && bytes[from - 1] >= 0xC0) --from;
  return utf8_error({bytes + from, count - from}) == count - from;
}

}  // namespace parqproof::kernel

#endif
