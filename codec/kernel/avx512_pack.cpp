#include "codec/kernel/fast_pack.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

namespace parqproof::kernel {
namespace {

/// Shifts that join four values of W bits, two of them already joined in each 64 bits of a quarter of a
/// vector, to 4 * W contiguous bits, and the bytes of the four quarters that then become the output. If W is
/// an odd number, every second quarter begins in the middle of a byte, four bits further. A shift by 64 gives
/// zero. If the most significant bit comes first (`Msb`), the values of a group of eight are in reverse
/// order, and their bytes are reversed at the end.
template <unsigned W, bool Msb>
struct Joined {
  struct Table {
    alignas(64) std::uint64_t first_up[8];
    alignas(64) std::uint64_t first_down[8];
    alignas(64) std::uint64_t last_up[8];
    alignas(64) std::uint64_t last_down[8];
    alignas(64) std::uint8_t bytes[64];   // bytes of the output
    alignas(64) std::uint8_t shared[64];  // bytes that contain bits of a second quarter
    std::uint64_t is_shared;
  };
  static constexpr Table kTable = [] {
    Table table{};
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      const unsigned start = W % 2 * (quarter % 2) * 4;
      const unsigned last = 2 * W + start;
      const unsigned low = 2 * quarter;
      const unsigned high = low + 1;
      table.first_up[low] = start;
      table.first_up[high] = 64;
      table.first_down[low] = 64;
      table.first_down[high] = 64 - start;
      table.last_up[low] = last > 64 ? 64 : last;
      table.last_up[high] = last > 64 ? last - 64 : 64;
      table.last_down[low] = 64;
      table.last_down[high] = last > 64 ? 64 : 64 - last;
    }
    for (unsigned at = 0; at < 2 * W; ++at) {
      const unsigned group = at / W;
      const unsigned byte = Msb ? W - 1 - at % W : at % W;
      const bool upper = byte >= W / 2;
      table.bytes[at] = static_cast<std::uint8_t>(group * 32 + (upper ? 16 + byte - W / 2 : byte));
      if (W % 2 != 0 && byte == W / 2) {
        table.shared[at] = static_cast<std::uint8_t>(group * 32 + byte);
        table.is_shared |= std::uint64_t{1} << at;
      }
    }
    return table;
  }();
};

/// Packs sixteen values into the first 2 * W bytes of a vector.
template <unsigned W, bool Msb>
PARQPROOF_AVX512 inline __m512i pack_sixteen(__m512i values) noexcept {
  constexpr const auto& table = Joined<W, Msb>::kTable;
  const __m512i masked = _mm512_and_si512(values, _mm512_set1_epi32(static_cast<int>(low_bits(W))));
  const __m512i lower = _mm512_and_si512(masked, _mm512_set1_epi64(0xFFFF'FFFFLL));
  const __m512i upper =
      _mm512_srli_epi64(_mm512_andnot_si512(_mm512_set1_epi64(0xFFFF'FFFFLL), masked), 32 - W);
  const __m512i twos = _mm512_or_si512(lower, upper);
  const __m512i first = _mm512_unpacklo_epi64(twos, twos);
  const __m512i last = _mm512_unpackhi_epi64(twos, twos);
  __m512i fours =
      _mm512_or_si512(_mm512_sllv_epi64(first, _mm512_load_si512(table.first_up)),
                      _mm512_or_si512(_mm512_sllv_epi64(last, _mm512_load_si512(table.last_up)),
                                      _mm512_srlv_epi64(last, _mm512_load_si512(table.last_down))));
  if constexpr (W % 2 != 0)
    fours = _mm512_or_si512(fours, _mm512_srlv_epi64(first, _mm512_load_si512(table.first_down)));
  __m512i packed = _mm512_permutexvar_epi8(_mm512_load_si512(table.bytes), fours);
  if constexpr (W % 2 != 0) {
    packed = _mm512_or_si512(
        packed, _mm512_maskz_permutexvar_epi8(table.is_shared, _mm512_load_si512(table.shared), fours));
  }
  return packed;
}

/// Stores the packed values: 2 * W bytes, or the entire vector if there is room.
template <unsigned W>
PARQPROOF_AVX512 inline void store(__m512i packed, std::size_t room, std::uint8_t* out) noexcept {
  if (room >= 64) {
    _mm512_storeu_si512(out, packed);
  } else {
    _mm512_mask_storeu_epi8(out, low_bits(2 * W), packed);
  }
}

template <bool Msb>
struct Avx512Pack32 {
  template <unsigned W>
  PARQPROOF_AVX512 static void pack(const std::uint32_t* values, std::uint32_t base, std::size_t count,
                                    std::uint8_t* out) noexcept {
    if constexpr (W != 0) {
      const __m512i bases = _mm512_set1_epi32(static_cast<int>(base));
      const __m512i reversed = _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
      std::size_t left = (count * W + 7) / 8;
      for (; count >= 16; values += 16, count -= 16, out += 2 * W, left -= 2 * W) {
        __m512i loaded = _mm512_sub_epi32(_mm512_loadu_si512(values), bases);
        if constexpr (Msb) loaded = _mm512_permutexvar_epi32(reversed, loaded);
        store<W>(pack_sixteen<W, Msb>(loaded), left, out);
      }
      if constexpr (Msb) {
        kPortable.pack32_msb(values, W, count, out);
      } else {
        PortablePack<std::uint32_t>::pack<W>(values, base, count, out);
      }
    }
  }
};

struct Avx512Pack64 {
  template <unsigned W>
  PARQPROOF_AVX512 static void pack(const std::uint64_t* values, std::uint64_t base, std::size_t count,
                                    std::uint8_t* out) noexcept {
    if constexpr (W != 0 && W <= 32) {  // all bits are in the lower halves
      const __m512i bases = _mm512_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(base)));
      std::size_t left = (count * W + 7) / 8;
      for (; count >= 16; values += 16, count -= 16, out += 2 * W, left -= 2 * W) {
        const __m256i low = _mm512_cvtepi64_epi32(_mm512_loadu_si512(values));
        const __m256i high = _mm512_cvtepi64_epi32(_mm512_loadu_si512(values + 8));
        const __m512i lower = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
        store<W>(pack_sixteen<W, false>(_mm512_sub_epi32(lower, bases)), left, out);
      }
    }
    PortablePack<std::uint64_t>::pack<W>(values, base, count, out);
  }
};

}  // namespace

void pack32_avx512(const std::uint32_t* values, std::uint32_t base, unsigned width, std::size_t count,
                   std::uint8_t* out) noexcept {
  pack_any<std::uint32_t, Avx512Pack32<false>>(values, base, width, count, out);
}

void pack64_avx512(const std::uint64_t* values, std::uint64_t base, unsigned width, std::size_t count,
                   std::uint8_t* out) noexcept {
  pack_any<std::uint64_t, Avx512Pack64>(values, base, width, count, out);
}

void pack32_msb_avx512(const std::uint32_t* values, unsigned width, std::size_t count,
                       std::uint8_t* out) noexcept {
  pack_any<std::uint32_t, Avx512Pack32<true>>(values, 0, width, count, out);
}

}  // namespace parqproof::kernel

#endif
