#include "codec/kernel/fast.hpp"
#include "codec/kernel/fast_pack.hpp"
#include "codec/kernel/loops.hpp"
#include "codec/kernel/targets.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

namespace parqproof::kernel {
namespace {

/// Layout of the values [First, First + 64 / Lane) of W bits in 64 bytes: a permutation moves the bytes of
/// each value into its lane, a shift drops the bits before the value. Bytes beyond the 64 belong to no value.
/// If the most significant bit comes first (`Msb`), the bytes of a lane are reversed, and the shift drops the
/// bits after the value.
template <unsigned W, unsigned Lane, unsigned First, bool Msb>
struct Places {
  struct Table {
    alignas(64) std::uint8_t bytes[64]{};
    alignas(64) std::uint8_t shifts[64]{};  // lanes of little-endian numbers
  };
  static constexpr Table kTable = [] {
    Table table;
    for (unsigned k = 0; k < 64 / Lane; ++k) {
      const unsigned bit = (First + k) * W;
      for (unsigned b = 0; b < Lane; ++b) {
        table.bytes[k * Lane + (Msb ? Lane - 1 - b : b)] = static_cast<std::uint8_t>((bit / 8 + b) % 64);
      }
      table.shifts[k * Lane] = Msb ? Lane * 8 - bit % 8 - W : bit % 8;
    }
    return table;
  }();
};

template <typename P>
PARQPROOF_AVX512 inline __m512i spread(__m512i packed) noexcept {
  return _mm512_permutexvar_epi8(_mm512_load_si512(P::kTable.bytes), packed);
}
template <typename P>
PARQPROOF_AVX512 inline __m512i shifts() noexcept {
  return _mm512_load_si512(P::kTable.shifts);
}

/// Returns true if a group that begins at byte `at` may be loaded; groups of width 0 have no bytes.
template <unsigned W>
constexpr bool has_group(std::size_t at, std::size_t readable) noexcept {
  return W == 0 || at + 64 <= readable;
}

template <bool Msb>
struct Avx512U32 {
  /// Unpacks sixteen values from 64 readable bytes.
  template <unsigned W>
  PARQPROOF_AVX512 static __m512i group(const std::uint8_t* in) noexcept {
    if constexpr (W == 0) return _mm512_setzero_si512();
    const __m512i mask = _mm512_set1_epi32(static_cast<int>(low_bits(W)));
    const __m512i packed = _mm512_loadu_si512(in);
    if constexpr (W <= 25) {
      using P = Places<W, 4, 0, Msb>;
      return _mm512_and_si512(_mm512_srlv_epi32(spread<P>(packed), shifts<P>()), mask);
    } else {
      using P = Places<W, 8, 0, Msb>;
      using Q = Places<W, 8, 8, Msb>;
      const __m256i low = _mm512_cvtepi64_epi32(_mm512_srlv_epi64(spread<P>(packed), shifts<P>()));
      const __m256i high = _mm512_cvtepi64_epi32(_mm512_srlv_epi64(spread<Q>(packed), shifts<Q>()));
      return _mm512_and_si512(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1), mask);
    }
  }

  template <unsigned W>
  PARQPROOF_AVX512 static void unpack(const std::uint8_t* in, std::size_t readable, std::size_t count,
                                      std::uint32_t* out) noexcept {
    std::size_t i = 0;
    std::size_t at = 0;
    for (; i + 16 <= count && has_group<W>(at, readable); i += 16, at += std::size_t{2} * W)
      _mm512_storeu_si512(out + i, group<W>(in + at));
    if (i < count && count - i < 16 && has_group<W>(at, readable)) {
      const auto lanes = static_cast<__mmask16>((1U << (count - i)) - 1);
      return _mm512_mask_storeu_epi32(out + i, lanes, group<W>(in + at));
    }
    if constexpr (Msb) {
      unpack_msb_tail(in, readable, W, i, count, out);
    } else {
      unpack_tail(in, readable, W, i, count, out);
    }
  }

  template <unsigned W>
  PARQPROOF_AVX512 static Survey<std::uint32_t> undelta(const std::uint8_t* in, std::size_t readable,
                                                        std::size_t count, std::uint32_t base,
                                                        std::uint32_t last, std::uint32_t* out) noexcept {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i bases = _mm512_set1_epi32(static_cast<int>(base));
    const __m512i fifteenth = _mm512_set1_epi32(15);
    __m512i carry = _mm512_set1_epi32(static_cast<int>(last));
    __m512i bits = zero;
    __m512i min = _mm512_set1_epi32(-1);
    std::size_t i = 0;
    for (std::size_t at = 0; i + 16 <= count && has_group<W>(at, readable);
         i += 16, at += std::size_t{2} * W) {
      const __m512i deltas = group<W>(in + at);
      bits = _mm512_or_si512(bits, deltas);
      min = _mm512_min_epu32(min, deltas);
      __m512i sums = _mm512_add_epi32(deltas, bases);
      sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 15));
      sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 14));
      sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 12));
      sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 8));
      _mm512_storeu_si512(out + i, _mm512_add_epi32(sums, carry));
      carry = _mm512_add_epi32(carry, _mm512_permutexvar_epi32(fifteenth, sums));
    }
    Survey<std::uint32_t> survey{static_cast<std::uint32_t>(_mm512_reduce_or_epi32(bits)),
                                 static_cast<std::uint32_t>(_mm512_reduce_min_epu32(min))};
    if (i == count) return survey;
    unpack_tail(in, readable, W, i, count, out);
    undelta_tail(out, i, count, base, last, survey);
    return survey;
  }
};

struct Avx512U64 {
  /// Unpacks eight values from 64 readable bytes.
  template <unsigned W>
  PARQPROOF_AVX512 static __m512i group(const std::uint8_t* in) noexcept {
    if constexpr (W == 0) return _mm512_setzero_si512();
    const __m512i packed = _mm512_loadu_si512(in);
    if constexpr (W == 64) return packed;
    using P = Places<W, 8, 0, false>;
    const __m512i mask = _mm512_set1_epi64(static_cast<long long>(low_bits(W)));
    return _mm512_and_si512(_mm512_srlv_epi64(spread<P>(packed), shifts<P>()), mask);
  }

  /// Returns true if a value and the bits before it fit a lane.
  template <unsigned W>
  static constexpr bool kFits = W <= 57 || W == 64;

  template <unsigned W>
  PARQPROOF_AVX512 static void unpack(const std::uint8_t* in, std::size_t readable, std::size_t count,
                                      std::uint64_t* out) noexcept {
    std::size_t i = 0;
    if constexpr (kFits<W>) {
      for (std::size_t at = 0; i + 8 <= count && has_group<W>(at, readable); i += 8, at += W)
        _mm512_storeu_si512(out + i, group<W>(in + at));
    }
    unpack_tail(in, readable, W, i, count, out);
  }

  template <unsigned W>
  PARQPROOF_AVX512 static Survey<std::uint64_t> undelta(const std::uint8_t* in, std::size_t readable,
                                                        std::size_t count, std::uint64_t base,
                                                        std::uint64_t last, std::uint64_t* out) noexcept {
    Survey<std::uint64_t> survey{0, ~std::uint64_t{0}};
    std::size_t i = 0;
    if constexpr (kFits<W>) {
      const __m512i zero = _mm512_setzero_si512();
      const __m512i bases = _mm512_set1_epi64(static_cast<long long>(base));
      const __m512i seventh = _mm512_set1_epi64(7);
      __m512i carry = _mm512_set1_epi64(static_cast<long long>(last));
      __m512i bits = zero;
      __m512i min = _mm512_set1_epi64(-1);
      for (std::size_t at = 0; i + 8 <= count && has_group<W>(at, readable); i += 8, at += W) {
        const __m512i deltas = group<W>(in + at);
        bits = _mm512_or_si512(bits, deltas);
        min = _mm512_min_epu64(min, deltas);
        __m512i sums = _mm512_add_epi64(deltas, bases);
        sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 7));
        sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 6));
        sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 4));
        _mm512_storeu_si512(out + i, _mm512_add_epi64(sums, carry));
        carry = _mm512_add_epi64(carry, _mm512_permutexvar_epi64(seventh, sums));
      }
      survey = {static_cast<std::uint64_t>(_mm512_reduce_or_epi64(bits)), _mm512_reduce_min_epu64(min)};
    }
    if (i == count) return survey;
    unpack_tail(in, readable, W, i, count, out);
    undelta_tail(out, i, count, base, last, survey);
    return survey;
  }
};

template <typename T, typename S>
PARQPROOF_AVX512 void difference(T* values, std::size_t count, KeyRange<S>* ranges) noexcept {
  loops::difference(values, count, ranges);
}
template <typename F, typename T>
PARQPROOF_AVX512 void alp_decode(const T* integers, std::size_t count, T reference, const AlpScale<F>& scale,
                                 F* out) noexcept {
  loops::alp_decode(integers, count, reference, scale, out);
}

template <typename T>
PARQPROOF_AVX512 Survey<T> survey(const T* values, std::size_t count) noexcept {
  return loops::survey(values, count);
}
template <typename T>
PARQPROOF_AVX512 KeyRange<T> key_range(const std::uint8_t* values, std::size_t count,
                                       NumberKey key) noexcept {
  return loops::key_range<T>(values, count, key);
}

// Wider vectors have no advantage here.
void unsplit(const std::uint8_t* streams, std::size_t stride, std::uint32_t width, std::size_t count,
             std::uint8_t* out) noexcept {
  kAvx2.unsplit(streams, stride, width, count, out);
}
void split(const std::uint8_t* values, std::uint32_t width, std::size_t count, std::size_t stride,
           std::uint8_t* streams) noexcept {
  kAvx2.split(values, width, count, stride, streams);
}
}  // namespace

bool has_avx512() noexcept {
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512vbmi") != 0;
}

const Kernels kAvx512{
    .name = "avx512",
    .unpack32 = unpack_any<std::uint32_t, Avx512U32<false>>,
    .unpack64 = unpack_any<std::uint64_t, Avx512U64>,
    .unpack32_msb = unpack_any<std::uint32_t, Avx512U32<true>>,
    .pack32 = pack32_avx512,
    .pack64 = pack64_avx512,
    .pack32_msb = pack32_msb_avx512,
    .undelta32 = undelta_any<std::uint32_t, Avx512U32<false>>,
    .undelta64 = undelta_any<std::uint64_t, Avx512U64>,
    .difference32 = difference<std::uint32_t, std::int32_t>,
    .difference64 = difference<std::uint64_t, std::int64_t>,
    .survey32 = survey<std::uint32_t>,
    .survey64 = survey<std::uint64_t>,
    .unsplit = unsplit,
    .split = split,
    .alp_decode32 = alp_decode<float, std::uint32_t>,
    .alp_decode64 = alp_decode<double, std::uint64_t>,
    .alp_encode32 = alp_encode32_avx512,
    .alp_encode64 = alp_encode64_avx512,
    .key_range32 = key_range<std::int32_t>,
    .key_range64 = key_range<std::int64_t>,
    .levels = {.tally = tally_levels_avx512, .print = print_avx512},
    .text = {.lay_out = lay_out_avx512, .find_outside = find_outside_avx512, .charset = charset_avx512},
    .bloom = {.hash32 = hash32_avx512,
              .hash64 = hash64_avx512,
              .hash_arrays = hash_arrays_avx512,
              .missing = bloom_missing_avx2},
};

}  // namespace parqproof::kernel

#endif
