#include <array>

#include "codec/kernel/fast_pack.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

namespace parqproof::kernel {
namespace {

/// Shifts that join four values of W bits, two of them already joined in each 64 bits of a half vector, to 4
/// * W contiguous bits: those of the first two and of the last two in the lower and the upper 64 bits. If W
/// is an odd number, the second half begins in the middle of a byte, four bits further. A shift by 64 gives
/// zero.
template <unsigned W>
struct Joined {
  static constexpr unsigned kTwo = 2 * W;
  struct Half {
    alignas(16) std::uint64_t first_up[2];
    alignas(16) std::uint64_t first_down[2];
    alignas(16) std::uint64_t last_up[2];
    alignas(16) std::uint64_t last_down[2];
  };
  static consteval Half half(unsigned start) {
    const unsigned last = kTwo + start;
    Half of{};
    of.first_up[0] = start;
    of.first_up[1] = 64;
    of.first_down[0] = 64;
    of.first_down[1] = 64 - start;
    of.last_up[0] = last > 64 ? 64 : last;
    of.last_up[1] = last > 64 ? last - 64 : 64;
    of.last_down[0] = 64;
    of.last_down[1] = last > 64 ? 64 : 64 - last;
    return of;
  }
  static constexpr Half kLow = half(0);
  static constexpr Half kHigh = half(W % 2 * 4);
  static constexpr std::size_t kHighAt = W / 2;  // byte in which the second half begins
  static constexpr std::size_t kReach = W - kHighAt + 16;
  /// Byte indices of both halves in reverse order. If the most significant bit comes first, the second half
  /// comes first.
  static constexpr std::array<std::uint8_t, 32> kReversed = [] {
    std::array<std::uint8_t, 32> bytes{};
    for (unsigned at = 0; at < 16; ++at) {
      bytes[at] = static_cast<std::uint8_t>(at < W / 2 ? W / 2 - 1 - at : 0x80);
      bytes[16 + at] = static_cast<std::uint8_t>(at < W - W / 2 ? W - W / 2 - 1 - at : 0x80);
    }
    return bytes;
  }();
};

PARQPROOF_AVX2 inline __m256i both(const std::uint64_t* low, const std::uint64_t* high) noexcept {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(low))),
      _mm_load_si128(reinterpret_cast<const __m128i*>(high)), 1);
}

/// Packs eight values into W bytes; may write J::kReach bytes. If the most significant bit comes first
/// (`Msb`), the values are in reverse order, and their bytes are reversed at the end.
template <unsigned W, bool Msb>
PARQPROOF_AVX2 inline void pack_eight_avx2(__m256i values, std::uint8_t* out) noexcept {
  using J = Joined<W>;
  const __m256i masked = _mm256_and_si256(values, _mm256_set1_epi32(static_cast<int>(low_bits(W))));
  const __m256i lower = _mm256_and_si256(masked, _mm256_set1_epi64x(0xFFFF'FFFFLL));
  const __m256i upper =
      _mm256_srli_epi64(_mm256_andnot_si256(_mm256_set1_epi64x(0xFFFF'FFFFLL), masked), 32 - W);
  const __m256i twos = _mm256_or_si256(lower, upper);
  const __m256i first = _mm256_unpacklo_epi64(twos, twos);
  const __m256i last = _mm256_unpackhi_epi64(twos, twos);
  __m256i fours =
      _mm256_or_si256(_mm256_sllv_epi64(first, both(J::kLow.first_up, J::kHigh.first_up)),
                      _mm256_or_si256(_mm256_sllv_epi64(last, both(J::kLow.last_up, J::kHigh.last_up)),
                                      _mm256_srlv_epi64(last, both(J::kLow.last_down, J::kHigh.last_down))));
  if constexpr (W % 2 != 0) {
    fours = _mm256_or_si256(fours, _mm256_srlv_epi64(first, both(J::kLow.first_down, J::kHigh.first_down)));
    // The byte that contains bits of both halves.
    const __m256i shared =
        _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,  //
                         W / 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i raised = _mm256_permute2x128_si256(fours, fours, 0x08);
    fours = _mm256_or_si256(fours, _mm256_shuffle_epi8(raised, shared));
  }
  if constexpr (Msb) {
    fours =
        _mm256_shuffle_epi8(fours, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(J::kReversed.data())));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_extracti128_si256(fours, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + W - J::kHighAt), _mm256_castsi256_si128(fours));
  } else {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(fours));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + J::kHighAt), _mm256_extracti128_si256(fours, 1));
  }
}

template <bool Msb>
struct Avx2Pack32 {
  template <unsigned W>
  PARQPROOF_AVX2 static void pack(const std::uint32_t* values, std::uint32_t base, std::size_t count,
                                  std::uint8_t* out) noexcept {
    if constexpr (W != 0) {
      const __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
      const __m256i reversed = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
      std::size_t left = (count * W + 7) / 8;
      for (; count >= 8 && left >= Joined<W>::kReach; values += 8, count -= 8, out += W, left -= W) {
        __m256i loaded =
            _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)), bases);
        if constexpr (Msb) loaded = _mm256_permutevar8x32_epi32(loaded, reversed);
        pack_eight_avx2<W, Msb>(loaded, out);
      }
      if constexpr (Msb) {
        kPortable.pack32_msb(values, W, count, out);
      } else {
        PortablePack<std::uint32_t>::pack<W>(values, base, count, out);
      }
    }
  }
};

struct Avx2Pack64 {
  template <unsigned W>
  PARQPROOF_AVX2 static void pack(const std::uint64_t* values, std::uint64_t base, std::size_t count,
                                  std::uint8_t* out) noexcept {
    if constexpr (W != 0 && W <= 32) {  // all bits are in the lower halves
      const __m256i bases = _mm256_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(base)));
      const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
      std::size_t left = (count * W + 7) / 8;
      for (; count >= 8 && left >= Joined<W>::kReach; values += 8, count -= 8, out += W, left -= W) {
        const auto* const at = reinterpret_cast<const __m256i*>(values);
        const __m256i lower =
            _mm256_blend_epi32(_mm256_permutevar8x32_epi32(_mm256_loadu_si256(at), even),
                               _mm256_permutevar8x32_epi32(_mm256_loadu_si256(at + 1), even), 0xF0);
        pack_eight_avx2<W, false>(_mm256_sub_epi32(lower, bases), out);
      }
    }
    PortablePack<std::uint64_t>::pack<W>(values, base, count, out);
  }
};

}  // namespace

void pack32_avx2(const std::uint32_t* values, std::uint32_t base, unsigned width, std::size_t count,
                 std::uint8_t* out) noexcept {
  pack_any<std::uint32_t, Avx2Pack32<false>>(values, base, width, count, out);
}

void pack64_avx2(const std::uint64_t* values, std::uint64_t base, unsigned width, std::size_t count,
                 std::uint8_t* out) noexcept {
  pack_any<std::uint64_t, Avx2Pack64>(values, base, width, count, out);
}

void pack32_msb_avx2(const std::uint32_t* values, unsigned width, std::size_t count,
                     std::uint8_t* out) noexcept {
  pack_any<std::uint32_t, Avx2Pack32<true>>(values, 0, width, count, out);
}

}  // namespace parqproof::kernel

#endif
