#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/kernel/kernels.hpp"

/// Code shared by the fast sets. Each unpacks groups of values with code generated for one width, as long as
/// its loads stay inside the readable bytes, and leaves the rest to unpack_tail().
namespace parqproof::kernel {

/// Unpacks values [first, count) one at a time, with loads that stay inside the readable bytes.
template <typename T>
inline void unpack_tail(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t first,
                        std::size_t count, T* out) noexcept {
  if (width == 0) return static_cast<void>(std::fill(out + first, out + count, T{0}));
  if (sizeof(T) == 8 && width == 64) {
    if (first < count) std::memcpy(out + first, in + first * sizeof(T), (count - first) * sizeof(T));
    return;
  }
  const std::uint64_t mask = low_bits(width);
  for (std::size_t i = first; i < count; ++i) {
    const std::size_t bit = i * width;
    const std::size_t byte = bit / 8;
    const auto shift = static_cast<unsigned>(bit % 8);
    std::uint64_t value = 0;
    if (readable - byte >= sizeof value) [[likely]] {
      value = load_le<std::uint64_t>(in + byte);
    } else {
      std::memcpy(&value, in + byte, readable - byte);
    }
    value >>= shift;
    if (shift + width > 64) value |= static_cast<std::uint64_t>(in[byte + 8]) << (64 - shift);
    out[i] = static_cast<T>(value & mask);
  }
}

template <typename T>
using Unpack = void (*)(const std::uint8_t*, std::size_t, std::size_t, T*) noexcept;

/// Table of the functions Set::unpack<W> for all widths of T.
template <typename T, typename Set>
inline constexpr auto kUnpackers = []<unsigned... W>(std::integer_sequence<unsigned, W...>) consteval {
  return std::array<Unpack<T>, sizeof...(W)>{&Set::template unpack<W>...};
}(std::make_integer_sequence<unsigned, sizeof(T) * 8 + 1>{});

template <typename T, typename Set>
void unpack_any(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count,
                T* out) noexcept {
  kUnpackers<T, Set>[width](in, readable, count, out);
}

/// Turns deltas [first, count) into values in place, and adds them to the survey of the previous ones.
template <typename T>
inline void undelta_tail(T* deltas, std::size_t first, std::size_t count, T base, T last,
                         Survey<T>& survey) noexcept {
  if (first != 0) last = deltas[first - 1];
  for (std::size_t i = first; i < count; ++i) {
    survey.bits |= deltas[i];
    survey.min = deltas[i] < survey.min ? deltas[i] : survey.min;
    deltas[i] = last += base + deltas[i];
  }
}

template <typename T>
using Undelta = Survey<T> (*)(const std::uint8_t*, std::size_t, std::size_t, T, T, T*) noexcept;

/// Table of the functions Set::undelta<W> for all widths of T.
template <typename T, typename Set>
inline constexpr auto kUndeltas = []<unsigned... W>(std::integer_sequence<unsigned, W...>) consteval {
  return std::array<Undelta<T>, sizeof...(W)>{&Set::template undelta<W>...};
}(std::make_integer_sequence<unsigned, sizeof(T) * 8 + 1>{});

template <typename T, typename Set>
Survey<T> undelta_any(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count, T base,
                      T last, T* out) noexcept {
  return kUndeltas<T, Set>[width](in, readable, count, base, last, out);
}

/// Processes four deltas at a time, so that the sums of one step do not wait for those of the previous step.
template <typename T>
inline void accumulate_by_four(T* deltas, std::size_t count, T base, T last) noexcept {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const T one = base + deltas[i];
    const T two = one + base + deltas[i + 1];
    const T three = two + base + deltas[i + 2];
    const T four = three + base + deltas[i + 3];
    deltas[i] = last + one;
    deltas[i + 1] = last + two;
    deltas[i + 2] = last + three;
    deltas[i + 3] = last += four;
  }
  for (; i < count; ++i) deltas[i] = last += base + deltas[i];
}

/// Uses 64-bit loads and no processor extensions.
extern const Kernels kPortable;

#if defined(__x86_64__)
extern const Kernels kAvx2;
extern const Kernels kAvx512;
[[nodiscard]] bool has_avx2() noexcept;
[[nodiscard]] LevelTally tally_levels_avx512(const std::uint32_t* repetition, const std::uint32_t* definition,
                                             std::size_t count, std::uint32_t previous,
                                             const LevelBounds& bounds) noexcept;
[[nodiscard]] SizeSurvey lay_out_avx2(const std::uint32_t* sizes, std::size_t count, const std::uint8_t* data,
                                      ByteArray* out) noexcept;
[[nodiscard]] SizeSurvey lay_out_avx512(const std::uint32_t* sizes, std::size_t count,
                                        const std::uint8_t* data, ByteArray* out) noexcept;
[[nodiscard]] std::size_t find_outside_avx512(const ByteArray* values, std::size_t count,
                                              const std::uint8_t* readable,
                                              const PrefixRange& range) noexcept;
[[nodiscard]] std::uint64_t bloom_missing_avx2(const std::uint8_t* bitset, std::uint64_t blocks,
                                               const std::uint64_t* hashes, std::size_t count) noexcept;
void print_avx512(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
                  const LevelProjection& ancestor, LevelPrint& print) noexcept;
void hash_arrays_avx512(const ByteArray* values, std::size_t count, std::uint64_t* out) noexcept;
void hash32_avx512(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept;
void hash64_avx512(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept;
[[nodiscard]] Charset charset_avx2(const std::uint8_t* bytes, std::size_t count) noexcept;
[[nodiscard]] Charset charset_avx512(const std::uint8_t* bytes, std::size_t count) noexcept;
void pack32_avx2(const std::uint32_t* values, std::uint32_t base, unsigned width, std::size_t count,
                 std::uint8_t* out) noexcept;
void pack64_avx2(const std::uint64_t* values, std::uint64_t base, unsigned width, std::size_t count,
                 std::uint8_t* out) noexcept;
void pack32_msb_avx2(const std::uint32_t* values, unsigned width, std::size_t count,
                     std::uint8_t* out) noexcept;
void pack32_avx512(const std::uint32_t* values, std::uint32_t base, unsigned width, std::size_t count,
                   std::uint8_t* out) noexcept;
void pack64_avx512(const std::uint64_t* values, std::uint64_t base, unsigned width, std::size_t count,
                   std::uint8_t* out) noexcept;
void pack32_msb_avx512(const std::uint32_t* values, unsigned width, std::size_t count,
                       std::uint8_t* out) noexcept;
void alp_decode64_avx2(const std::uint64_t* integers, std::size_t count, std::uint64_t reference,
                       const AlpScale<double>& scale, double* out) noexcept;
AlpFit<std::int32_t> alp_encode32_avx2(const float* values, std::size_t count, const AlpScale<float>& scale,
                                       std::int32_t* integers, std::uint8_t* exact) noexcept;
AlpFit<std::int64_t> alp_encode64_avx2(const double* values, std::size_t count, const AlpScale<double>& scale,
                                       std::int64_t* integers, std::uint8_t* exact) noexcept;
AlpFit<std::int32_t> alp_encode32_avx512(const float* values, std::size_t count, const AlpScale<float>& scale,
                                         std::int32_t* integers, std::uint8_t* exact) noexcept;
AlpFit<std::int64_t> alp_encode64_avx512(const double* values, std::size_t count,
                                         const AlpScale<double>& scale, std::int64_t* integers,
                                         std::uint8_t* exact) noexcept;
[[nodiscard]] bool has_avx512() noexcept;  ///< F, BW, DQ, VL and VBMI
#endif

}  // namespace parqproof::kernel
